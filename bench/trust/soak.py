"""The soak of `heed bench trust`: as much as fits into some minutes, then what grew.

Mostly talk, since an errand takes ten seconds and a question a fifth of one; every tenth is an errand, every twentieth
a lesson that is taught and agreed to, or forgotten again.
"""

import random
import time

from bench.report import Options
from bench.trust.fault_drills import TASKS
from bench.trust.probes import answers, known_lessons, make_ready
from bench.trust.sabotage import kill
from bench.trust.service import Service, wait_for

TALK = ("hello", "where is the cup?", "what can you do?", "what is on the table?", "a bit to the left", "how are you?")
LESSONS = ("Always bring a {one} with the {other}.", "The {one} belongs on the shelf.", "Never bring the {one}.")
THINGS = ("juice", "cup", "bread", "apple", "milk", "plate", "water", "cheese")
WARM = 0.25
"""Share of the time after which all caches are full: what comes later is growth."""


def measure_soak(service: Service, minutes: float, chance: random.Random, options: Options) -> dict[str, float]:
    """Measure what grew after the first quarter, when all is warm."""
    end = time.monotonic() + 60 * minutes
    warm = time.monotonic() + 60 * minutes * WARM
    first: dict[str, float] = {}
    first_size = utterances = faults = 0
    while time.monotonic() < end:
        if not first and time.monotonic() > warm:
            first, first_size = service.figures(), service.memory.stat().st_size
        make_ready(service)
        walks = service.walks()
        if chance.random() < 0.05:
            change = "restore" if not known_lessons(service) else "forget"
            service.ask(change, id=int(service.ask("lessons")["lessons"][0]["id"]))
        service.ask("say", text=_something(service, chance))
        if chance.random() < 0.01:
            faults += 1
            with kill(service, chance.choice(["heed_hw", "sim", "console_worker"]))(chance):
                wait_for(lambda: answers(service), "heed can be talked to", 180.0)
        elif chance.random() < 0.1:
            service.ask("stop")
        else:
            wait_for(lambda walks=walks: service.walks() > walks, "a request is done", 180.0)  # type: ignore[misc]
        utterances += 1
    make_ready(service)
    last = service.figures()
    grown = {
        f"soak_grown_{name}": last[name] - first.get(name, 0) for name in last if not name.endswith("_cpu_seconds")
    }
    return {
        "soak_utterances": utterances,
        "soak_faults": faults,
        "soak_restarts": service.starts - 1,
        "soak_database_bytes_per_utterance": (service.memory.stat().st_size - first_size) / max(1, utterances),
        **grown,
    }


def _something(service: Service, chance: random.Random) -> str:
    """Return what somebody says next; a lesson is taught here but for the yes."""
    drawn = chance.random()
    if drawn < 0.05:
        one, other = chance.sample(THINGS, 2)
        service.ask("say", text=chance.choice(LESSONS).format(one=one, other=other))
        wait_for(
            lambda: service.waits() or bool((service.status() or {}).get("asks")), "the lesson is asked about", 60.0
        )
        return "yes"
    return chance.choice(TASKS if drawn < 0.15 else TALK)
