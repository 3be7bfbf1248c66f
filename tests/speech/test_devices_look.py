"""When heed looks for sound devices: at once where something came, and not without end where nothing did."""

from daemon.speech.sound_devices import SELDOM_SECONDS, SETTLING_SECONDS, Looks, Signs

NOTHING = Signs("--- no soundcards ---", ())
CARD = Signs(" 0 [Device ]: USB-Audio", ())
SERVER = Signs("", (("/run/user/1/pulse/native", 1),))


class Clock:
    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


def looks_in(clock: Clock, looks: Looks, signs: Signs, seconds: float) -> int:
    """How often it looks, tried twice a second."""
    count = 0
    for _ in range(round(2 * seconds)):
        clock.seconds += 0.5
        count += looks.due(signs)
    return count


def test_without_card_and_server_it_stops_looking() -> None:
    clock = Clock()
    looks = Looks(clock, lambda: None)
    assert looks_in(clock, looks, NOTHING, SETTLING_SECONDS) > 20
    assert looks_in(clock, looks, NOTHING, 3600) == 0


def test_a_card_that_is_plugged_in_is_looked_at_at_once() -> None:
    clock = Clock()
    looks = Looks(clock, lambda: None)
    looks_in(clock, looks, NOTHING, 100)
    assert looks.due(CARD)


def test_a_server_that_does_not_say_what_it_has_is_looked_at_now_and_again() -> None:
    clock = Clock()
    looks = Looks(clock, lambda: None)
    looks_in(clock, looks, SERVER, 2 * SETTLING_SECONDS)
    assert looks_in(clock, looks, SERVER, 100) == round(100 / SELDOM_SECONDS)


def test_a_server_that_says_so_is_looked_at_when_it_has_other_devices() -> None:
    clock, devices = Clock(), {"speaker"}
    looks = Looks(clock, lambda: frozenset(devices))
    looks_in(clock, looks, SERVER, 2 * SETTLING_SECONDS)
    assert looks_in(clock, looks, SERVER, 3600) == 0
    devices.add("microphone")
    assert looks_in(clock, looks, SERVER, SELDOM_SECONDS) == 1
    assert looks_in(clock, looks, SERVER, 3600) == 0


def test_a_server_that_is_started_again_is_another_one() -> None:
    clock = Clock()
    looks = Looks(clock, lambda: None)
    looks_in(clock, looks, SERVER, 100)
    assert looks.due(Signs("", (("/run/user/1/pulse/native", 2),)))
