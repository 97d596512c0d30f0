"""What a compaction will do to the whole store, told from counts alone."""

from apps.facts.answers import CompactionOutlook
from apps.facts.files import StoreFiles
from apps.facts.models import FactLine, Hold
from apps.facts.projector.builds import build_rows, current_build
from apps.facts.queries.status import store_status
from apps.facts.rules import ORDINAL_BITS
from apps.facts.sql import fetch_number

NOT_OURS = "The journal belongs to a daemon and is only read here; the daemon compacts it."
BEHIND = "The index has not read the whole journal yet. Look again in a minute."


def compaction_outlook(*, store: StoreFiles, now_ns: int) -> CompactionOutlook:
    """Every tenant is counted; the caller has checked that an operator asks."""
    status = store_status(store=store, now_ns=now_ns)
    build = current_build()
    first, last = (0, -1) if build is None else build_rows(build.number)
    homes = first >> ORDINAL_BITS, last >> ORDINAL_BITS
    return CompactionOutlook(
        lines=status.lines,
        size_bytes=status.size_bytes,
        folded=status.facts - status.facts_by_state["deleted"],
        dropped=status.facts_by_state["deleted"],
        later_lines=fetch_number(
            f"SELECT count(*) FROM {FactLine._meta.db_table} WHERE fact BETWEEN %s AND %s", (first, last)
        ),
        holds=Hold.objects.filter(is_active=True, home__range=homes).count(),
        skipped_lines=status.skipped_count,
        refusal=NOT_OURS if status.is_observed else BEHIND if status.lag.is_behind else "",
    )
