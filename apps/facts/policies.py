"""The settings that decide what an index holds: how facts age, and which are private."""

import hashlib
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import Self

import orjson

from cruxstore.facts.decay import DecayPolicy
from cruxstore.facts.privacy import PrivacyPolicy

INDEX_VERSION = 3
"""Raised whenever the same journal would give other rows; every index is then built anew."""


@dataclass(frozen=True, slots=True)
class Policies:
    """The daemon's own variables, as this process found them."""

    decay: DecayPolicy
    privacy: PrivacyPolicy

    @classmethod
    def from_environment(cls, environment: Mapping[str, str]) -> Self:
        """The policies that the daemon's variables ask for."""
        return cls(DecayPolicy.from_environment(environment), PrivacyPolicy.from_environment(environment))

    @classmethod
    def from_process(cls) -> Self:
        """The policies of this process's environment."""
        return cls.from_environment(os.environ)

    def digest(self) -> str:
        """Equal for settings that give the same index."""
        return _digest_of(self)


@lru_cache(maxsize=8)
def _digest_of(policies: Policies) -> str:
    content = {"version": INDEX_VERSION, "decay": asdict(policies.decay), "privacy": asdict(policies.privacy)}
    return hashlib.sha256(orjson.dumps(content, option=orjson.OPT_SORT_KEYS)).hexdigest()
