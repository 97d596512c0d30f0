"""The readings that machines report again and again, made by rule: same story, same numbers, on every machine.

Every series follows what happens in the told story: an index that grew, a release that was slow, an evening
on which cards were declined twice.
"""

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from apps.facts.demo.marks import noise
from apps.facts.demo.story import Told, When

INCIDENT_DAY = -8
SCHEDULE = ("Håkon Myhre", "Tomasz Brandt", "Kofi Mensah", "Yelena Morozova", "Li Bergström")
SKEWED_DAYS = {-6: 7, -4: 5, -3: 33, -2: 4, -1: 401}
"""Days on which a box in Rotterdam took its modem's word for the date, and how far ahead that was."""


def read_series() -> Iterator[Told]:
    """All readings of all tenants, series by series, each in the order of time."""
    yield from _nights("bench:search-index", "p95_ms", range(-358, -1, 4), "03:10", _search_p95)
    yield from _nights("bench:checkout-authorise", "p99_ms", range(-350, -1, 9), "03:20", _authorise_p99)
    yield from _rotterdam_clock()
    yield from _bergen_clock()
    yield from _freezer()
    yield from _checkout_latency()
    yield from _error_budget()
    yield from _search_lag()
    yield from _mail_queue()
    yield from _on_call()
    yield from _reconciliation()
    yield from _exchange_rate()
    yield from _orders()
    yield from _palm_climate()
    yield from _visitors()
    yield from _hive_weight()


def _nights(entity: str, key: str, days: Iterable[int], at: str, reading: Callable[[int], int]) -> Iterator[Told]:
    for day in days:
        yield Told("default", entity, key, When(day, at), "bench-runner", 0.98, str(reading(day)))


def _search_p95(day: int) -> int:
    value = 216 + 6 * noise("search-p95", day)
    value += 26 if day >= -221 else 0  # the Vigo catalogues
    value -= 14 if day >= -205 else 0
    value -= 11 if day >= -86 else 0
    value += 14 if day >= -66 else 0  # every query ranked twice
    value -= 19 if day >= -12 else 0
    return round(value)


def _authorise_p99(day: int) -> int:
    value = 940 + 45 * noise("authorise-p99", day)
    value += 160 if day >= -188 else 0  # a third attempt
    value -= 120 if day >= -97 else 0  # the Go callback is gone
    value += 310 if -8 <= day <= -5 else 0
    return round(value)


def _rotterdam_clock() -> Iterator[Told]:
    for day in (*range(-302, -75, 6), *range(-75, -7, 2), *range(-7, 0)):
        ahead = 38 * noise("rotterdam-2", day)
        if day >= -75:
            ahead = 118_000 + 1_650 * (75 + day) + 900 * noise("rotterdam-2", day)
        skew = SKEWED_DAYS.get(day, 0)
        offset = round(ahead) + skew * 86_400_000
        told = Told(
            "default", "edge:rotterdam-2", "clock_offset_ms", When(day, "11:58"), "edge-agent-3", 0.9, str(offset)
        )
        yield _volatile(told, skew_days=skew)


def _bergen_clock() -> Iterator[Told]:
    for day in range(-300, 0, 10):
        offset = round(24 * noise("bergen-1", day))
        told = Told("default", "edge:bergen-1", "clock_offset_ms", When(day, "11:56"), "edge-agent-1", 0.9, str(offset))
        yield _volatile(told)
    value = "not set: the box came up without a battery and thinks it is 1970"
    told = Told("default", "edge:bergen-1", "clock_state", When(-44, "05:03"), "edge-agent-1", 0.5, value)
    yield _volatile(told, clock="1970-01-01T00:00:00Z")


def _freezer() -> Iterator[Told]:
    for day in (*range(-290, -14, 9), *range(-13, 0)):
        value = f"{-19.4 + 0.9 * noise('freezer', day):.1f} °C".replace("-", "−")
        if day in (-106, -107):
            value = "−3000.0 °C"
        told = Told("default", "edge:rotterdam-2", "freezer", When(day, "06:10"), "edge-agent-3", 0.85, value)
        yield _volatile(told, skew_days=SKEWED_DAYS[-1] if day == -1 else 0)


def _checkout_latency() -> Iterator[Told]:
    for day in (*range(-357, -14, 14), *range(-13, 0)):
        for at, load in (("09:00", 0.6), ("14:10", 1.0), ("20:30", 0.3)) if day >= -13 else (("14:10", 1.0),):
            value = 150 + 90 * load + 14 * noise("checkout-p95", day, at)
            value += 55 if day >= -188 else 0
            value -= 40 if day >= -97 else 0
            value += 3_950 if (day, at) == (INCIDENT_DAY, "14:10") else 0
            told = Told("default", "service:checkout", "p95_ms", When(day, at), "metrics-tap", 0.95, f"{round(value)}")
            yield _volatile(told)


def _error_budget() -> Iterator[Told]:
    for day in range(-354, 0, 14):
        left = 71 + round(19 * noise("error-budget", day))
        if day >= INCIDENT_DAY:
            left = 6
        value = f"0.1 % a month; {left} % left on the day of writing"
        yield Told(
            "default", "service:checkout", "error_budget", When(day, "07:45"), "bench-runner", 0.8, value, "medium"
        )


def _search_lag() -> Iterator[Told]:
    for day in range(-340, 0, 12):
        lag = 4.2 + 2.4 * noise("search-lag", day)
        lag += 31 if -222 <= day <= -214 else 0
        told = Told("default", "service:search", "index_lag_s", When(day, "10:20"), "metrics-tap", 0.95, f"{lag:.1f}")
        yield _volatile(told)


def _mail_queue() -> Iterator[Told]:
    for day in range(-350, 0, 10):
        waiting = 140 + 90 * noise("mail-queue", day)
        waiting += 1_900 if day % 7 == 0 else 0  # statements go out on Mondays
        told = Told(
            "default", "service:mailer", "queue_depth", When(day, "06:25"), "metrics-tap", 0.95, f"{waiting:,.0f}"
        )
        yield _volatile(told)


def _on_call() -> Iterator[Told]:
    for turn, day in enumerate(range(-364, 0, 7)):
        name = SCHEDULE[turn % len(SCHEDULE)]
        value = f"team:payments; on call this week: {name}"
        if day == -7:
            value = "team:payments; on call this week: Tomasz Brandt, in exchange for the herring fair"
        yield _volatile(Told("default", "service:checkout", "owner", When(day, "06:00"), "roster-sync", 0.95, value))


def _reconciliation() -> Iterator[Told]:
    for day in range(-349, 0, 7):
        payments = 1_480 + round(1.6 * (day + 349) + 130 * noise("reconciliation", day))
        value = f"{payments:,} payments, 0 unmatched"
        if day == -209:
            value = f"{payments:,} payments, 3 unmatched, all refunds of the same evening"
        if day == -6:
            value = f"{payments:,} payments, 312 unmatched, see incident:118"
        yield Told(
            "default", "service:ledger-api", "reconciliation", When(day, "05:15"), "ledger-watch", 0.98, value, "medium"
        )


def _exchange_rate() -> Iterator[Told]:
    rate = 11.62
    for day in range(-350, 0):
        if day % 7 in (5, 6):
            continue
        rate += 0.021 * noise("eur-nok", day)
        if day % 6 == 0 or day >= -6:
            told = Told("default", "rate:eur-nok", "value", When(day, "15:05"), "ledger-watch", 0.99, f"{rate:.4f}")
            yield _volatile(told)


def _orders() -> Iterator[Told]:
    customers = {
        "customer:halden-foods": (1_240, 401.0),
        "customer:nordkyst": (410, 622.0),
        "customer:castro-mar": (186, 97.0),
        "customer:kuehlhaus-weber": (96, 310.0),
        "customer:brasserie-leopold": (58, 4.1),
        "customer:sakana-ya": (34, 2.6),
    }
    for entity, (orders, tonnes) in customers.items():
        for day in range(-333, 0, 30):
            factor = 1 + 0.12 * noise(entity, day) + (0.18 if -130 <= day <= -60 else 0)
            value = f"{orders * factor:,.0f} orders, {tonnes * factor:,.1f} t"
            yield Told(
                "default", entity, "orders_in_30_days", When(day, "04:30"), "ledger-watch", 0.97, value, "medium"
            )


def _palm_climate() -> Iterator[Told]:
    for day in range(-340, 0, 11):
        climate = {
            "air_c": round(22.5 + 3.1 * noise("palm-air", day), 1),
            "humidity": round(78 + 7 * noise("palm-humidity", day)),
            "vents": "closed" if noise("palm-vents", day) < 0 else "ridge, 30 %",
            "boiler": 2 if day < -77 else "heat pump",
        }
        text = json.dumps(climate, ensure_ascii=False)
        yield _volatile(Told("acme", "house:palm", "climate", When(day, "08:05"), "greenhouse-watch", 0.97, text))


def _visitors() -> Iterator[Told]:
    for day in range(-342, 0, 14):
        people = 210 + 90 * noise("visitors", day) + (420 if -165 <= day <= -135 else 0)
        season = people * (0.22 + 0.06 * noise("season-tickets", day))
        value = f"{people:.0f} people, {season:.0f} with a season ticket"
        yield Told("acme", "visitor:count", "yesterday", When(day, "07:30"), "visitor-desk", 0.98, value, "medium")


def _hive_weight() -> Iterator[Told]:
    for day in range(-230, -30, 18):
        weight = 31 + 6 * noise("hive-2", day) + (14 if -180 <= day <= -120 else 0)
        yield _volatile(
            Told("acme", "bees:hive-2", "weight", When(day, "21:00"), "bee-counter", 0.9, f"{weight:.1f} kg")
        )


def _volatile(told: Told, *, skew_days: int = 0, clock: str | None = None) -> Told:
    return replace(told, horizon="volatile", skew_days=skew_days, clock=clock)
