"""From which confidence on the brain acts unasked."""

from bench.mind.confidence import THRESHOLDS, Acted, least_confidence, table

RIGHT = [Acted(0.9, right=True, wrong_deed=False)] * 20
WRONG = [Acted(0.35, right=False, wrong_deed=True)] * 5
STILL = [Acted(1.0, right=False, wrong_deed=False)] * 5


def test_the_lowest_threshold_that_keeps_wrong_deeds_rare_is_taken() -> None:
    rows = {row["confidence"]: row for row in table(RIGHT + WRONG + STILL)}
    assert rows[0.0] == {"confidence": 0.0, "asks": 0.0, "right": 0.667, "wrong_deeds": 0.167}
    assert rows[0.4] == {"confidence": 0.4, "asks": 0.167, "right": 0.667, "wrong_deeds": 0.0}
    assert least_confidence(RIGHT + WRONG + STILL) == 0.4
    assert least_confidence(RIGHT) == 0.0


def test_one_that_is_sure_and_wrong_asks_as_often_as_it_can() -> None:
    assert least_confidence([Acted(0.99, right=False, wrong_deed=True)] * 10) == THRESHOLDS[-1]
