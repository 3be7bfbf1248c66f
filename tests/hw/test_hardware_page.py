"""docs/hardware.md names every fault under the severity that it has."""

import re
from pathlib import Path

from hw.device_faults import MEANINGS, FaultCode

PAGE = Path(__file__).parents[2] / "docs" / "hardware.md"


def test_every_fault_has_a_severity_a_hint_and_a_place_on_the_page() -> None:
    rows = dict(re.findall(r"^\| (warning|stop|fatal) \| (.*) \|$", PAGE.read_text(), re.MULTILINE))
    told = {code: severity for severity, codes in rows.items() for code in re.findall(r"[A-Z_]+", codes)}
    assert told == {code: MEANINGS[code].severity for code in FaultCode}
    assert all(meaning.hint for meaning in MEANINGS.values())
