"""What `heed eyes` shows: whether anybody sees, what is present, what is remembered, and which places there are."""

from collections.abc import Callable, Mapping

from daemon.service.control import CommandError, Handler, Message
from hw.state import HardwareError, RobotState
from skills.perception import where
from skills.scene import Scene, ago
from skills.skill import Observation


def eyes_handlers(
    source: str, trouble: Callable[[], str], state: Callable[[], RobotState], observe: Callable[[], Observation]
) -> Mapping[str, Handler]:
    """Return the handler of `heed eyes`; it raises CommandError where the body does not answer."""

    def eyes(request: Message) -> Message:
        try:
            body, scene = state(), Scene.from_observation(observe())
        except HardwareError as error:
            raise CommandError(str(error)) from error
        here = scene.location_at(body.base.x, body.base.y)
        stands = here.name if here else f"{body.base.x:.2f}, {body.base.y:.2f} m"
        return {
            "eyes": source,
            "trouble": trouble(),
            "stands at": stands if body.localised else "nobody knows: its wheels were restarted",
            "sees": {thing.name: where(thing) for thing in scene.objects if thing.present},
            "remembers": {
                thing.name: f"{where(thing)}, {ago(thing.age)}" for thing in scene.objects if not thing.present
            },
            "places": {place.name: place.kind for place in scene.locations},
        }

    return {"eyes": eyes}
