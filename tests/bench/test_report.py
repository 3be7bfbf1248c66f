import json
from pathlib import Path

import pytest

from bench.command import DATA, measure
from bench.report import BenchError, Options, Report, share
from daemon.config import Config


def test_a_report_is_a_table_and_one_line_of_json() -> None:
    report = Report("saycan", 2, {"all": 0.5, "wait_p50_ms": 12, "splice": None}, brain="imitation")
    assert report.table().splitlines() == [
        "all               0.500",
        "wait_p50_ms          12",
        "splice                -",
    ]
    fields = json.loads(report.line())
    assert list(fields) == ["bench", "brain", "method", "data", "cases", "load", "figures"]
    assert fields["figures"] == {"all": 0.5, "wait_p50_ms": 12, "splice": None}


def test_a_share_of_nothing_is_no_figure() -> None:
    assert share([]) is None
    assert share([True, False, False, False]) == 0.25


def test_a_bench_without_its_cases_says_how_to_give_them() -> None:
    with pytest.raises(BenchError, match="--data FILE"):
        Options().read()


def test_an_unreadable_file_is_named(tmp_path: Path) -> None:
    file = tmp_path / "broken.json"
    file.write_text("{")
    with pytest.raises(BenchError, match=r"broken\.json"):
        Options(data=file).read()


def test_an_unknown_bench_is_answered_with_the_known_ones(capsys: pytest.CaptureFixture[str]) -> None:
    assert measure("kitchen", [], Config()) == 1
    assert "known are" in capsys.readouterr().err


def test_cases_are_counted_only_on_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    assert list(Options().progress([1, 2])) == [1, 2]
    assert capsys.readouterr().err == ""
    assert DATA["tabletop"] == "cap_tabletop.json"
