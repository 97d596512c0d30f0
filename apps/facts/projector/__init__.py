"""Keeps the index as far as the files are: the only writer of its tables."""

from apps.facts.projector.builds import answering_build
from apps.facts.projector.catching_up import bring_up_to_date, caught_up_build, index_lag, read_what_is_new
from apps.facts.projector.next_build import rebuild
from apps.facts.projector.view import IndexView

__all__ = [
    "IndexView",
    "answering_build",
    "bring_up_to_date",
    "caught_up_build",
    "index_lag",
    "read_what_is_new",
    "rebuild",
]
