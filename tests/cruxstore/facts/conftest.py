"""Properties are tried without a clock: other work on the machine is no failure."""

from hypothesis import settings

settings.register_profile("without a clock", deadline=None)
settings.load_profile("without a clock")
