"""The verbs that people say over the socket, where the body cannot do what they ask."""

import pytest

from daemon.service.commands import verb_handlers
from daemon.service.control import CommandError
from daemon.trigger import Utterance
from hw.state import HardwareError, Standstill, StopReport


class Unplugged:
    """A heed whose arm is not there."""

    def hear(self, utterance: Utterance) -> None: ...
    def stopped(self, reason: str, report: StopReport) -> None: ...
    def pause(self) -> None: ...
    def cancel(self, reason: str) -> None: ...

    def stop(self, reason: str) -> StopReport:
        return StopReport(0.0, None, Standstill.UNCERTAIN)

    def resume(self, by: str) -> str:
        raise HardwareError("left is unconfigured", "check cables and power")


def test_a_body_that_cannot_go_on_is_told_as_it_is_and_not_as_an_error_of_heed() -> None:
    with pytest.raises(CommandError, match=r"^left is unconfigured$") as refused:
        verb_handlers(Unplugged(), dict)["resume"]({})
    assert refused.value.hint == "check cables and power"


@pytest.mark.parametrize(
    "told", [{}, {"accepted_at": None, "standstill": "true"}, {"accepted_at": 1.0, "standstill": "?"}]
)
def test_a_stop_that_is_told_without_a_report_is_refused(told: dict[str, object]) -> None:
    with pytest.raises(CommandError, match="no report of a stop"):
        verb_handlers(Unplugged(), dict)["stopped"](told)
