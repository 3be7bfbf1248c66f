"""The described world of a RAIDER case, in which a recovery plan is carried out step by step, and a person who helps.

A step that its preconditions do not allow is refused, as a robot would: what is out of reach, blocked, held, closed.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from rapidfuzz import fuzz, process

from bench.support.household_robot import TOOLS, household_questions
from daemon.console.raider.precondition_questions import Deed, answered, ask_all
from daemon.console.raider.surroundings import SEEN_FROM_THERE, Item, Surroundings
from daemon.imitation.english.orders.recovery import RecoveryError
from daemon.lexicon.thing_knowledge import knowledge, spoken_name

HERE, TABLE, ELSEWHERE = "current_loc", "free_table", "the drawer in the hall"
NEAR, AWAY = 0.5, 5.0
"""Metres to what one stands before, and to what is elsewhere."""
CAN_BE = {
    "sliceable": ("food",),
    "toggleable": ("electronics", "appliance", "lamp", "power tool"),
    "openable": ("container", "storage", "appliance"),
}
"""What a thing that is found elsewhere can be, by its kind."""


class World:
    """An Actor that changes a description."""

    def __init__(self, around: Surroundings, expected: Mapping[str, Any]) -> None:
        """`expected` tells the person what is meant, when asked."""
        self.asked = 0
        self.speech: list[str] = []
        self.refused = ""
        """Why the first step that failed did."""
        seen = [item.name for item in around.items]
        held = [Item(name, 0.0, frozenset(["pickupable"])) for name in around.holding if name not in seen]
        self._base = replace(around, items=(*around.items, *held))
        self._at = {item.name: HERE for item in self._base.items}
        self._here = HERE
        self._sought = ""
        self._wanted = next((group[0] for group in expected["explanation_mentions"]), "any")

    @property
    def around(self) -> Surroundings:
        """The world as it is from where the robot stands now."""
        return replace(
            self._base, items=tuple(replace(item, distance=self._distance(item)) for item in self._base.items)
        )

    @property
    def holding(self) -> Sequence[str]:
        return self._base.holding

    def act(self, action: str, arguments: Sequence[str]) -> None:
        try:
            self._act(action, [str(argument) for argument in arguments])
        except RecoveryError as error:
            self.refused = self.refused or str(error)
            raise

    def ask(self, question: str) -> str:
        """The person's answer: helps where help is asked for."""
        self.asked += 1
        if match := re.search(r"[Ww]here is the (.+)\?", question):
            self._sought = match[1]
            return ELSEWHERE
        if match := re.search(r"put the (.+?) (?:a little )?closer", question):
            item = self._item(match[1])
            self._change(replace(item, distance=NEAR / 2))
            return "sure, here you are"
        if match := re.search(r"[Tt]he (.+?) (?:is in|blocks) my way", question):
            self._free(self._item(match[1]).name)
            return "done"
        if match := re.search(r"[Tt]he (.+?) is locked", question):
            item = self._item(match[1])
            self._change(replace(item, state={**item.state, "locked": False}))
            return "done"
        return self._wanted if "Which one" in question else "never mind"

    def say(self, text: str) -> None:
        self.speech.append(text)

    def _act(self, action: str, arguments: list[str]) -> None:
        if action == "move_to":
            return self._move(arguments[0])
        names = [self._item(argument).name if argument != TABLE else TABLE for argument in arguments]
        if action == "place" and names[1:] in ([TABLE], []):
            return self._put_down(names[0])
        questions = household_questions()
        if action not in questions:
            raise RecoveryError(f"there is no action {action}")
        deed = Deed(action, names[0], names[1] if len(names) > 1 else "")
        troubles = answered(ask_all(deed, questions[action]), self.around, TOOLS)
        if troubles:
            raise RecoveryError(troubles[0].text)
        self._take_effect(action, names)

    def _take_effect(self, action: str, names: list[str]) -> None:
        item = self._item(names[0])
        if action == "pick":
            self._base = replace(self._base, holding=(*self._base.holding, item.name))
            self._free(item.name)
        elif action == "handover":
            self._base = replace(self._base, holding=tuple(held for held in self._base.holding if held != item.name))
        elif action == "place":
            self._base = replace(self._base, holding=())
            self._change(replace(item, relations=(*item.relations, ("inside", names[1]))))
            self._at[item.name] = self._at[names[1]]
        else:
            key, value = {"open": ("open", True), "close": ("open", False), "turnon": ("on", True),
                          "turnoff": ("on", False), "slice": ("sliced", True)}[action]  # fmt: skip
            self._change(replace(item, state={**item.state, key: value}))

    def _move(self, place: str) -> None:
        if self._sought and place == ELSEWHERE:
            name = self._sought
            can_be = {what for what, kinds in CAN_BE.items() if any(knowledge().is_kind(kind, name) for kind in kinds)}
            found = Item(name, NEAR, frozenset({"pickupable", *can_be}))
            self._base = replace(self._base, items=(*self._base.items, found))
            self._at[name] = self._here = ELSEWHERE
        elif place in (TABLE, HERE):
            self._here = place
        else:
            self._come_before(self._item(place).name)

    def _come_before(self, name: str) -> None:
        """Stand before a thing, and so before what is in or on it."""
        self._here = f"before {name}"
        for there in (name, *self._base.related("inside", name), *self._base.related("on_top_of", name)):
            self._at[there] = self._here

    def _put_down(self, name: str) -> None:
        if name not in self._base.holding:
            raise RecoveryError(f"{name} is not held")
        self._base = replace(self._base, holding=tuple(held for held in self._base.holding if held != name))
        self._at[name] = self._here

    def _free(self, name: str) -> None:
        """Let what was moved block nothing any more, and lie in or on nothing."""
        gone = {*SEEN_FROM_THERE}
        items = []
        for item in self._base.items:
            kept = tuple((relation, other) for relation, other in item.relations
                         if not (relation in gone and name in (item.name, other)))  # fmt: skip
            items.append(replace(item, relations=kept))
        self._base = replace(self._base, items=tuple(items))

    def _distance(self, item: Item) -> float:
        if item.name in self._base.holding:
            return 0.0
        at = self._at[item.name]
        if at == HERE == self._here:
            return item.distance
        return NEAR * min(1.0, self._base.reach) if at == self._here else AWAY

    def _item(self, name: str) -> Item:
        names = {item.name: spoken_name(item.name) for item in self._base.items}
        found = process.extractOne(spoken_name(name), names, scorer=fuzz.ratio, score_cutoff=75)
        if found is None:
            raise RecoveryError(f"there is no {name}")
        return next(item for item in self._base.items if item.name == found[2])

    def _change(self, changed: Item) -> None:
        items = tuple(changed if item.name == changed.name else item for item in self._base.items)
        self._base = replace(self._base, items=items)
