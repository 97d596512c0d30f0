"""The long value of the demo: forty kilobytes of program log from the afternoon on which cards were declined twice."""

from collections.abc import Iterator

from apps.facts.demo.marks import noise, number_below
from apps.facts.demo.series import INCIDENT_DAY
from apps.facts.demo.story import Told, When

PODS = ("5c9d", "7f10", "82ab", "9e34", "a417", "b0c2", "c6f8", "d93e", "e155")
MERCHANTS = ("halden-foods", "nordkyst", "torget-17", "brasserie-leopold", "kiosk-sandviken", "fiskehallen")
LINES_A_MINUTE = 7
WANTED_BYTES = 40_000


def read_excerpt() -> Told:
    """The excerpt as triage told it; its stamps lie on the day of the incident."""
    lines: list[str] = []
    size = 0
    for line in _log_lines():
        lines.append(line)
        size += len(line.encode()) + 1
        if size >= WANTED_BYTES:
            break
    return Told(
        "default", "incident:118", "log_excerpt", When(-7, "09:48"), "triage-7", 0.95, "\n".join(lines), "medium"
    )


def _log_lines() -> Iterator[str]:
    for minute in range(58, 58 + 90):
        for turn in range(LINES_A_MINUTE):
            second = (turn * 60 + 30 + int(29 * noise("second", minute, turn))) // LINES_A_MINUTE
            milliseconds = number_below(1000, "millisecond", minute, turn)
            stamp = f"[[{INCIDENT_DAY}]]T{13 + minute // 60:02d}:{minute % 60:02d}:{second:02d}.{milliseconds:03d}Z"
            pod = PODS[number_below(len(PODS), "pod", minute, turn)]
            yield f"{stamp} checkout-{pod} {_message(minute - 58, turn)}"


def _message(minute: int, turn: int) -> str:
    merchant = MERCHANTS[number_below(len(MERCHANTS), "merchant", minute, turn)]
    payment = f"pay_{number_below(16**8, 'payment', minute, turn):08x}"
    wait = number_below(900, "wait", minute, turn)
    if (minute, turn) == (11, 3):
        return (
            'INFO  support note="call from Jonas Vik <jonas.vik@halden-foods.example>, tills in 17 shops decline twice"'
        )
    if minute < 4:
        return f"INFO  authorised payment={payment} merchant={merchant} ms={180 + wait // 6}"
    if minute < 33:
        choices = (
            f"WARN  northpass slow payment={payment} attempt=1 ms={3000 + wait} gave_up=true",
            f"INFO  retry payment={payment} attempt=2 idempotency_key={payment}-2",
            f"ERROR declined payment={payment} merchant={merchant} reason=duplicate_suspected attempt=2",
            f"WARN  pool wait_ms={wait * 4} in_use=40 waiting={wait // 9}",
        )
    elif minute < 51:
        choices = (
            f"ERROR pool exhausted in_use=40 waiting={90 + wait // 4} payment={payment}",
            f"ERROR basket kept merchant={merchant} reason=no_connection",
            f"WARN  readiness failed checks=pool took_ms={900 + wait}",
            f"ERROR declined payment={payment} merchant={merchant} reason=duplicate_suspected attempt=2",
        )
    else:
        choices = (
            f"INFO  flags pay.retry=false pool=80 authorised payment={payment} ms={240 + wait // 5}",
            f"INFO  authorised payment={payment} merchant={merchant} ms={200 + wait // 5}",
            f"WARN  northpass slow payment={payment} attempt=1 ms={1200 + wait} gave_up=false",
            f"INFO  authorised payment={payment} merchant={merchant} ms={190 + wait // 6}",
        )
    return choices[number_below(len(choices), "choice", minute, turn)]
