"""When something is to be done, read from a person's words.

"in two minutes", "at half past seven", "tomorrow at nine", "every evening at eight", "when I come back".
"""

import re
from datetime import datetime, timedelta

from daemon.console.reminder_time import When
from daemon.lexicon.inflection import singular


def read_later(text: str) -> tuple[When, str] | None:
    """Return when, and what: "in two minutes" and "bring me the tea"; None for a sentence that is about now."""
    bare = _PLEASE.sub("", _POLITE.sub("", text.strip(" .!?,")))
    words = _REMIND.sub("", bare).split()
    if _QUESTION.match(bare):
        return None
    for length in range(min(_LONGEST, len(words) - 1), 0, -1):
        for said, rest in ((words[:length], words[length:]), (words[-length:], words[:-length])):
            counts = rest == words[length:] and _MAY_COUNT.search(" ".join(said).lower())
            if (when := read_when(" ".join(said))) and not counts:
                what = _TO.sub("", _POLITE.sub("", " ".join(rest).strip(" ,")))
                return when, f"remind me to {what}" if _REMIND.match(bare) else what
    return None


def read_when(words: str) -> When | None:
    """Read the words for a time or an event; None where they are none."""
    words = words.strip(" ,")
    said = " ".join(words.lower().replace(",", " ").replace(" a quarter", " quarter").split())
    said = f"at {said}" if said in ("noon", "midnight") else said
    if match := _AFTER.fullmatch(said):
        seconds = _number(match["count"]) * _SECONDS[match["unit"]]
        return When(words, timedelta(seconds=seconds + (_SECONDS[match["unit"]] / 2 if match["half"] else 0)))
    if match := _CLOCK.fullmatch(said):
        return _on_the_clock(words, match)
    event = next((name for name, pattern in _EVENTS.items() if pattern.fullmatch(said)), "")
    return When(words, event=event, each_time=bool(_EACH_TIME.match(words))) if event else None


def announced(text: str) -> str:
    """Return the event, "return" or "leave", that a person tells has happened ("I am back"); "" for other sentences."""
    said = " ".join(text.lower().replace("’", "'").strip(" .!,").split())
    return next((name for name, pattern in _ANNOUNCED.items() if pattern.fullmatch(said)), "")


def unnoticed(text: str) -> str:
    """Return the words for an event to wait for that nobody notices; "" for any other sentence."""
    bare = _POLITE.sub("", text.strip(" .!?,"))
    match = _UNNOTICED.fullmatch(bare)
    if match is None or _QUESTION.match(bare):
        return ""
    when = match["when"] or match["later"]
    return "" if _ABOUT_REQUESTS.search(when) or read_when(when) else when


def _on_the_clock(words: str, match: re.Match[str]) -> When | None:
    part = match["part"] or match["part2"] or match["daypart"] or (match["every"] if match["every"] in _USUAL else "")
    if match["hour"] is None and not match["noon"]:
        hour, minute = _USUAL.get(part, 9), 0
        sure = True
    elif match["noon"]:
        hour, minute, sure = (12 if match["noon"] == "noon" else 0), 0, True
    else:
        hour = int(_number(match["hour"]))
        minute = int(match["minute"] or _MINUTES.get(match["spoken"] or "", 0))
        if match["past"]:
            count, _, way = match["past"].rpartition(" ")
            minute = _MINUTES[count] * (-1 if way == "to" else 1)
        sure = hour > 12 or bool(part) or bool(match["minute"] and len(match["hour"]) == 2)
        if part in _LATE and hour < 12:
            hour += 12
        elif part in ("am", "morning") and hour == 12:
            hour = 0
    if not 0 <= hour <= 23 or minute > 59:
        return None
    clock = (datetime(2000, 1, 2, hour) + timedelta(minutes=minute)).time()
    every = match["every"] or ""
    days = frozenset(_DAYS.get(singular(every), [])) if every else frozenset()
    return When(words, at=clock, either_half=not sure, days_ahead=1 if match["tomorrow"] else 0, days=days)


def _number(word: str) -> float:
    return float(word) if word[0].isdigit() else _NUMBERS[word]


_NUMBERS = {
    "a": 1.0, "an": 1.0, "half an": 0.5, "half a": 0.5, "one": 1.0, "two": 2.0, "three": 3.0, "four": 4.0, "five": 5.0,
    "six": 6.0, "seven": 7.0, "eight": 8.0, "nine": 9.0, "ten": 10.0, "eleven": 11.0, "twelve": 12.0, "fifteen": 15.0,
    "twenty": 20.0, "thirty": 30.0, "forty": 40.0, "forty five": 45.0, "fifty": 50.0, "ninety": 90.0,
    "a couple of": 2.0, "a few": 3.0, "quarter of an": 0.25, "three quarters of an": 0.75,
}  # fmt: skip
_SECONDS = {"second": 1.0, "minute": 60.0, "hour": 3600.0, "day": 86400.0}
_LATE = ("pm", "afternoon", "evening", "night", "tonight")
_USUAL = {"morning": 8, "afternoon": 15, "evening": 19, "night": 21, "tonight": 20}
"""The hour that is meant where nobody says one."""
_WEEK = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_DAYS = {name: [number] for number, name in enumerate(_WEEK)} | {
    **{part: list(range(7)) for part in ("day", "morning", "afternoon", "evening", "night")},
    "weekday": list(range(5)),
    "weekend": [5, 6],
}
_WORD = "|".join(sorted(map(re.escape, _NUMBERS), key=len, reverse=True))
_AFTER = re.compile(rf"in (?P<count>\d+(?:\.\d+)?|{_WORD}) (?P<unit>second|minute|hour|day)s?(?P<half> and a half)?")
_MINUTES = {
    "half": 30, "quarter": 15, "twenty five": 25, "five": 5, "ten": 10, "twenty": 20, "oh five": 5, "fifteen": 15,
    "thirty": 30, "thirty five": 35, "forty": 40, "forty five": 45, "fifty": 50, "fifty five": 55,
}  # fmt: skip
"""Words for the minutes of an hour ..."""
_PAST = r"half past|(?:quarter|twenty five|five|ten|twenty) (?:past|to)"
_BEHIND = "oh five|ten|fifteen|twenty five|twenty|thirty five|thirty|forty five|forty|fifty five|fifty"
"""... and where they stand: "ten past six", "three thirty"."""
_PART = "am|pm|morning|afternoon|evening|night|tonight"
_HOUR = r"\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
_CLOCK = re.compile(
    rf"(?=.)(?:(?:every|each) (?P<every>day|morning|afternoon|evening|night|weekday|weekend|{'|'.join(_WEEK)})"
    rf"|(?P<tomorrow>tomorrow)|(?:this )?(?P<daypart>tonight))?(?: (?P<part2>{_PART}))?"
    rf"(?: ?(?:at )(?:(?:(?P<past>{_PAST}) )?"
    rf"(?P<hour>{_HOUR})(?:[:.](?P<minute>\d\d)| (?P<spoken>{_BEHIND}))?(?: ?o'?clock)?"
    r"|(?P<noon>noon|midnight))"
    rf"(?: ?(?:in the |at )?(?P<part>{_PART}))?)?"
)
_MAY_COUNT = re.compile(rf"(?:{_HOUR}) (?:{_BEHIND})$")
"""A minute that may also be how many: "at eight ten glasses go to the sink"."""
_FROM = (
    r"(?: from (?:the |my |a )?"
    r"(?:work|school|shop|shops|shopping|office|store|garden|gym|doctor|walk|town|outside))?"
)
_WHEN_I = r"(?:when(?:ever)?|once|as soon as|after|(?:each|every) time|the moment)(?: that)? (?:i|we)"
_EVENTS = {
    "return": re.compile(
        rf"{_WHEN_I}(?:(?: come| get| return| arrive)(?: back| home| again| in)*"
        rf"|(?:'m|'re| am| are) (?:back|home)(?: home| again)*|(?:'ve| have) (?:come back|returned|arrived)){_FROM}"
    ),
    "leave": re.compile(
        rf"{_WHEN_I}(?: leave| go out| go away|(?:'m| am| have|'ve) (?:gone|left|out|away))(?: the house| for work)?"
    ),
}
_HELLO = r"(?:(?:hello|hi|hey|bye(?: bye)?|goodbye|see you(?: later| soon)?|well|so|ok|okay|honey|robot|heed)[ ,]+)*"
_ANNOUNCED = {
    "return": re.compile(
        rf"{_HELLO}(?:(?:i|we)(?:'m|'re| am| are)(?: now| finally| just)? (?:back|home)(?: home| again| now)*"
        rf"|(?:i|we)(?:'ve| have)?(?: just| finally)? (?:come back|came back|come home|came home|got back|got home"
        rf"|returned|arrived)(?: home| again| now)*|here i am(?: again)?){_FROM}"
    ),
    "leave": re.compile(
        rf"{_HELLO}(?:(?:i|we)(?:'m|'re| am| are)(?: now| just)? (?:leaving|going out|going away|off|about to leave"
        r"|heading out)|(?:i|we)(?:'ll| will)? (?:have to|must|need to) (?:go|leave))(?: now| then| to work| for work)*"
        rf"|{_HELLO}(?:(?:good)?bye|bye bye|see you (?:later|soon|tomorrow))(?: now| robot| heed)*"
    ),
}
_UNNOTICED = re.compile(
    r"(?P<when>(?:when(?:ever)?|once|as soon as|the moment)(?: that)? (?!(?:i|we|you|it's done|done|ready)\b)[^,]+), .+"
    r"|.+? (?P<later>(?:as soon as|when(?:ever)?) (?:it|there|somebody|someone|(?:the|my) \w+) .+)",
    re.IGNORECASE,
)
_ABOUT_REQUESTS = re.compile(
    r"\b(?:ask|say|want|order|need|request|call|tell|like|bring)(?:s|ed|ing)?\b", re.IGNORECASE
)
_EACH_TIME = re.compile(r"whenever|(?:each|every) time", re.IGNORECASE)
_LONGEST = 9
"""Words: "at a quarter past seven in the evening tomorrow" has nine."""
_REMIND = re.compile(r"^remind me\b\s*", re.IGNORECASE)
_TO = re.compile(r"^(?:to|about|of|that)\s+", re.IGNORECASE)
_POLITE = re.compile(r"^(?:(?:please|heed|robot|can you|could you|then)\b[\s,]*)+", re.IGNORECASE)
_PLEASE = re.compile(r"[\s,]*\b(?:please|thanks|thank you)$", re.IGNORECASE)
_QUESTION = re.compile(r"^(?:what|which|where|who|why|how|did|do|does|have|is|are|was|were)\b", re.IGNORECASE)
