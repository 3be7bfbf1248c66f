"""How people say it: a paraphrase grammar. {x} and {y} are things, {p} and {q} places, with their articles.

Each family has phrasings that training sees, and some that only the held-out suites use.
"""

import random
import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Phrasings:
    """Templates for one intent."""

    seen: tuple[str, ...]
    unseen: tuple[str, ...] = ()
    """Kept out of training."""


def _phrasings(seen: str, unseen: str = "") -> Phrasings:
    return Phrasings(_lines(seen), _lines(unseen))


def _lines(text: str) -> tuple[str, ...]:
    return tuple(line.strip() for line in text.strip().split("\n") if line.strip())


FETCH = _phrasings(
    """
    bring me {x}
    get me {x}
    bring {x} to me
    bring {x} here
    bring {x} over
    fetch {x}
    fetch me {x}
    get {x} for me
    go get {x}
    hand me {x}
    hand {x} to me
    give me {x}
    give {x} to me
    pass me {x}
    pass {x} over
    deliver {x} to me
    carry {x} to me
    take {x} to me
    can I have {x}
    may I have {x}
    could I get {x}
    I want {x}
    I need {x}
    I would like {x}
    I would like to have {x}
    I'd like to have {x}
    I want to have {x}
    I could use {x}
    {x} for me
    {x}
    bring me {x} from {p}
    get {x} from {p}
    get me {x} that is on {p}
    there is {x0} on {p}, bring it to me
    bring me {x}, it is at {p}
    grab me {x}
    grab {x} and bring it to me
    pick up {x} and bring it to me
    take {x} and give it to me
    find {x} and bring it to me
    how would you bring me {x}
    how would you get {x} for me
    I left {x} at {p}, can you bring it to me
    I am looking for {x}, bring it to me
    let me have {x}
    I want you to bring me {x}
    go to {p} and get me {x}
    move {x} to me
    bring {x} to the person
    take {x} from {p} and bring it to me
    bring me back {x}
    would you mind bringing me {x}
    serve me {x}
    come to me with {x}
    go and fetch {x}
    """,
    """
    I'm in need of {x}
    please come over here with {x}
    why don't you get {x} and hand it to me
    it would be nice to have {x}
    I am missing {x}, could you get it
    run over to {p} and fetch me {x}
    is there any way I could get {x}
    my hands are full, so bring {x} over to me
    """,
)
PUT = _phrasings(
    """
    put {x} on {p}
    put {x} in {p}
    put {x} into {p}
    put {x} onto {p}
    place {x} on {p}
    place {x} in {p}
    set {x} on {p}
    lay {x} on {p}
    move {x} to {p}
    take {x} to {p}
    bring {x} to {p}
    carry {x} to {p}
    bring {x} over to {p}
    store {x} in {p}
    leave {x} on {p}
    {x} goes on {p}
    {x} goes in {p}
    {x} belongs in {p}
    {x} belongs on {p}
    {x} should be on {p}
    {x} should be in {p}
    move {x} from {q} to {p}
    take {x} from {q} to {p}
    pick up {x} and put it on {p}
    pick up {x} and place it in {p}
    grab {x} and put it on {p}
    take {x} and put it in {p}
    get {x} and put it on {p}
    move {x} over to {p}
    put {x} back on {p}
    put {x} away in {p}
    put {x} at {p}
    drop {x} at {p}
    drop {x} in {p}
    relocate {x} to {p}
    transfer {x} to {p}
    deliver {x} to {p}
    fetch {x} and put it on {p}
    how would you put {x} on {p}
    how would you move {x} to {p}
    I want {x} on {p}
    I want you to put {x} on {p}
    {x} to {p}
    stow {x} in {p}
    tidy {x} away into {p}
    serve {x} on {p}
    """,
    """
    make sure that {x} ends up on {p}
    I would prefer {x} to be on {p}
    {p} is where {x} should go
    see to it that {x} gets to {p}
    find a spot for {x} on {p}
    relocate {x} over to {p} for me
    """,
)
THROW = _phrasings(
    """
    throw {x} away
    throw away {x}
    throw out {x}
    discard {x}
    dispose of {x}
    get rid of {x}
    trash {x}
    toss {x}
    recycle {x}
    dump {x}
    bin {x}
    put {x} in the trash
    put {x} in {b}
    throw {x} in {b}
    {x} can go
    {x} is garbage, throw it away
    I am done with {x}, throw it away
    remove {x}
    compost {x}
    how would you throw away {x}
    {x} belongs in the trash
    clear away {x}
    I do not need {x} any more, throw it out
    put {x} from {q} in {b}
    """,
    """
    nobody needs {x} any more, get it out of here
    {x} is rubbish
    I want {x} gone
    chuck {x}
    """,
)
GO = _phrasings(
    """
    go to {p}
    drive to {p}
    move to {p}
    drive over to {p}
    go over to {p}
    move over to {p}
    head to {p}
    visit {p}
    go to {p} and wait there
    wait at {p}
    stand at {p}
    park at {p}
    approach {p}
    navigate to {p}
    travel to {p}
    go near {p}
    go and stand by {p}
    how would you go to {p}
    be at {p}
    get over to {p}
    go back to {p}
    I want you at {p}
    """,
    """
    make your way to {p}
    I would like to see you at {p}
    roll over to {p}
    position yourself at {p}
    """,
)
COME = _phrasings(
    """
    come here
    come to me
    come over here
    come back
    come back to me
    come closer
    drive to me
    go to me
    move to me
    """,
    """
    I would like you next to me
    get over here
    """,
)
PICK = _phrasings(
    """
    pick up {x}
    pick {x} up
    grasp {x}
    grab {x}
    take {x}
    hold {x}
    hold {x} for a moment
    grab {x} with your gripper
    take hold of {x}
    lift {x}
    pick up {x} from {p}
    take {x} from {p}
    take {x} in your hand
    go to {p} and pick up {x}
    get {x} in your hand
    how would you pick up {x}
    """,
    """
    get hold of {x}
    take {x} into your gripper
    """,
)
PUT_DOWN = _phrasings(
    """
    put {x} down
    put down {x}
    drop {x}
    let go of {x}
    release {x}
    put it down
    drop it
    let go of it
    let go of it now
    set {x} down
    lay it down
    """,
    """
    you can let {x} go
    set it down here
    """,
)
OPEN = _phrasings(
    """
    open {p}
    open up {p}
    open the door of {p}
    go to {p} and open it
    pull open {p}
    {p} should be open
    how would you open {p}
    """,
    """
    I want {p} open
    get {p} opened
    """,
)
CLOSE = _phrasings(
    """
    close {p}
    shut {p}
    close the door of {p}
    go to {p} and close it
    push {p} shut
    {p} should be closed
    how would you close {p}
    """,
    """
    I want {p} closed
    make sure {p} is shut
    """,
)
FETCH_TWO = _phrasings(
    """
    bring me {x} and {y}
    get me {x} and {y}
    fetch {x} and {y}
    give me {x} and {y}
    hand me {x} and {y}
    I want {x} and {y}
    I need {x} and {y}
    can I have {x} and {y}
    {x} and {y}
    bring {x} and {y} to me
    bring {x} and also {y}
    bring me both {x} and {y}
    I would like {x} and {y}
    I want some {x0} and {y}
    bring me {x} together with {y}
    bring me {x} with {y}
    can you get me {x} and {y}
    I want to have {x} and {y}
    serve me {x} and {y}
    bring me {x}; bring me {y}
    """,
    """
    I'm in need of {x} plus {y}
    it would be nice to have {x} along with {y}
    """,
)
PUT_TWO = _phrasings(
    """
    put {x} and {y} on {p}
    put {x} and {y} in {p}
    bring {x} and {y} to {p}
    move {x} and {y} to {p}
    take {x} and {y} to {p}
    place {x} and {y} on {p}
    put both {x} and {y} on {p}
    carry {x} and {y} over to {p}
    {x} and {y} should be on {p}
    serve {x} and {y} on {p}
    """,
    """
    make sure that {x} and {y} end up on {p}
    {p} is where {x} and {y} should go
    """,
)
MOVE_ALL = _phrasings(
    """
    bring everything from {q} to {p}
    move everything from {q} to {p}
    put everything that is on {q} on {p}
    take all the things from {q} to {p}
    move all things on {q} to {p}
    clear {q} and put everything on {p}
    """,
    """
    {q} should be empty, everything there goes to {p}
    """,
)
WHERE = _phrasings(
    """
    where is {x}
    where can I find {x}
    do you know where {x} is
    have you seen {x}
    tell me where {x} is
    locate {x}
    where did I leave {x}
    """,
    """
    I cannot find {x}, any idea where it is
    what place is {x} at
    """,
)
FIND = _phrasings(
    """
    find {x}
    look for {x}
    go find {x}
    search for {x}
    go to {x}
    drive to {x}
    """,
)
POINT = _phrasings(
    """
    point at {x}
    point to {x}
    show me {x}
    point out {x}
    go to {p} and point at {x}
    """,
    """
    indicate {x} with your finger
    """,
)
CLASS = _phrasings(
    """
    bring me {c}
    get me {c}
    I want {c}
    give me {c}
    can I have {c}
    fetch {c}
    I would like {c}
    bring me {c}, any will do
    """,
    """
    I'm in need of {c}
    it would be nice to have {c}
    """,
)
THIRSTY = _phrasings(
    """
    I am thirsty
    bring me something to drink
    I want something to drink
    get me a beverage
    can I have something to drink
    give me anything to drink
    I need a drink
    """,
    """
    my throat is dry
    """,
)
HUNGRY = _phrasings(
    """
    I am hungry
    bring me something to eat
    I want something to eat
    give me a snack
    can I have something to eat
    bring me a snack
    I need a snack
    """,
    """
    my stomach growls
    """,
)
SPILL = _phrasings(
    """
    I spilled my drink, help me clean up
    I spilled something, bring me something to clean it up
    help me clean {p}
    bring me something to wipe {p}
    I want to clean {p}
    I made a mess at {p}
    """,
)
HELLO = {
    "Hello! I am fine. What can I do for you?": (
        "hello",
        "hello, how are you?",
        "hi there",
        "good morning",
        "hey",
        "how are you today?",
    ),
    "You are welcome.": (
        "thank you",
        "thanks",
        "thank you very much",
        "thanks a lot",
        "very kind of you",
    ),
    "Goodbye.": (
        "goodbye",
        "bye",
        "see you later",
        "bye, see you tomorrow",
        "I am leaving",
    ),
    "Welcome back.": (
        "I am back",
        "I am home again",
    ),
    "All right.": (
        "no, it is fine",
        "never mind",
        "that is all",
        "nothing else",
        "no thanks",
        "all good now",
    ),
    "I can bring you things, put them somewhere, open and close doors, drive to places, and learn from you.": (
        "what can you do?",
        "what are you able to do?",
        "how can you help me?",
    ),
    "I am heed, and I listen for this robot.": (
        "what is your name?",
        "who are you?",
        "what are you called?",
    ),
    "Thank you.": (
        "well done",
        "good job",
        "great",
        "perfect",
    ),
}
"""What the robot answers, and what people say by way of talking."""
TOLD = {
    "say(recount())": (
        "what did you just do?",
        "what have you done?",
        "tell me what you did",
    ),
    "say(explain())": (
        "why did you do that?",
        "who told you to do that?",
        "why?",
        "why was that?",
    ),
    "say(list_lessons())": (
        "what have you learned?",
        "which rules do you know?",
        "what did I teach you?",
    ),
    "say(list_lessons('today'))": (
        "what did you learn today?",
        "what have you learned today?",
    ),
    "say(forget_lesson())": (
        "forget that rule",
        "forget what I said about that",
        "forget that, it is no longer true",
    ),
    "say(undo_lesson())": (
        "undo that",
        "undo what you just learned",
        "take that lesson back",
    ),
    "say(tidy_memory())": (
        "tidy up your memory",
        "clean up your memory",
    ),
    "say('I know these places: ' + ', '.join(list_locations()))": (
        "which places do you know?",
        "what places are there?",
        "tell me all the locations",
    ),
    "say('I know of: ' + ', '.join(name for name, category, location in list_objects()))": (
        "what do you see?",
        "which things are there?",
        "what is here?",
    ),
    "say('I am at: ' + (get_robot_location() or 'no place that has a name'))": (
        "where are you?",
        "at which place are you?",
    ),
    "say('I hold: ' + (', '.join(name for name, category, location in list_objects() if "
    "location.endswith(' hand')) or 'nothing'))": (
        "what are you holding?",
        "are you holding something?",
        "what is in your hand?",
    ),
}
"""The statement that answers, and the questions."""
REMEMBER = _phrasings(
    """
    remember that for next time
    next time do it like that
    please remember that
    can you remember that for the future
    always do it like that from now on
    learn that for next time
    from now on, always bring that too
    remember to always do that without me having to ask
    good, and do that every time from now on
    next time, do that right away
    never do that again, remember that
    """,
    """
    keep that in mind for the future
    I want that each time, memorise it
    """,
)
WRONG_THING = _phrasings(
    """
    no, not {x}, I meant {y}
    wrong, I wanted {y}
    that is not {y}, bring me {y}
    no, {y}
    I meant {y}
    sorry, I meant {y}, not {x}
    """,
)
WRONG_PLACE = _phrasings(
    """
    no, put it on {p}
    no, it belongs on {p}
    wrong place, it goes to {p}
    not there, on {p}
    no, I meant {p}
    bring it to {p} instead
    """,
)
AND_THEN = (" and then ", ", then ", " and ", ". then ", " and after that ", ", and ")

_BEFORE = (
    "please ",
    "could you ",
    "can you ",
    "can you please ",
    "would you ",
    "could you please ",
    "hey, ",
    "robot, ",
    "hey robot, ",
    "ok, ",
    "now ",
    "then ",
    "uh ",
    "um, ",
    "I want you to ",
    "please go and ",
)
_AFTER = (" please", ", please", " for me", " now", ", thanks", " quickly", ", will you", "?")
_VERBAL = re.compile(
    r"(?!I |I'|there|\{|how|can|could|may|would|let|where|do |have|no|wrong|not|sorry|that|what|my)", re.I
)


def sentence(dice: random.Random, template: str, **names: str) -> str:
    """A template, filled, with the politeness, ellipsis and carelessness of speech."""
    text = template.format_map(_Articles(dice, names))
    if _VERBAL.match(template) and dice.random() < 0.4:
        text = dice.choice(_BEFORE) + text
    if dice.random() < 0.2:
        text += dice.choice(_AFTER)
    return carelessly(dice, text)


def carelessly(dice: random.Random, text: str) -> str:
    """As a recogniser writes it: with or without capitals and full stops, now and then a word twice or an "uh"."""
    style = dice.random()
    if style < 0.3:
        text = text[0].upper() + text[1:]
        if text[-1] not in "?.!":
            text += dice.choice(".!") if dice.random() < 0.9 else ""
    elif style < 0.5:
        text = re.sub(r"[,.?!]", "", text).lower()
    if dice.random() < 0.03:
        at = text.split(" ")
        spot = dice.randrange(len(at))
        text = " ".join([*at[:spot], dice.choice((at[spot], "uh", "um")), *at[spot:]])
    return text


def with_article(dice: random.Random, name: str) -> str:
    """ "the cup", and now and then "my cup" or just "cup"."""
    return dice.choice(("the ", "the ", "the ", "the ", "the ", "my ", "a ", "some ", "")) + name


class _Articles(dict[str, str]):
    """{x} with an article, {x0} as it is; places have "the" almost always."""

    def __init__(self, dice: random.Random, names: dict[str, str]) -> None:
        super().__init__(names)
        self._dice = dice

    def __missing__(self, key: str) -> str:
        return self[key.removesuffix("0")]

    def __getitem__(self, key: str) -> str:
        if key.endswith("0"):
            return super().__getitem__(key[:-1])
        name = super().__getitem__(key)
        if key in ("p", "q", "b"):
            return name if self._dice.random() < 0.1 else f"the {name}"
        return with_article(self._dice, name) if key in ("x", "y") else name
