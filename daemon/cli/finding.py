"""What the doctor says about one thing: how it is, what was found, and what to do."""

from dataclasses import dataclass
from enum import StrEnum


class Verdict(StrEnum):
    OK = "ok"
    WARN = "warn"
    """heed runs, with less than it could have."""
    FAIL = "fail"
    """heed does not run, or not as config.toml says."""


@dataclass(frozen=True)
class Check:
    name: str
    verdict: Verdict
    what: str
    """What was found."""
    to_do: str = ""
    """Empty where all is well."""
