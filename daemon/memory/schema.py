"""The tables of memory.sqlite, and its views for the sqlite3 shell, as migrations from each version to the next."""

import json
from collections.abc import Callable

from sqlite_utils import Database

from daemon.memory.effect_json import to_json
from daemon.memory.sentence_to_effect import rule_said

_APPLIES_TO = """coalesce(nullif(ltrim(
        iif(object_class = '', '', ', any ' || object_class) ||
        iif(object = '', '', ', the ' || object) ||
        iif(place = '', '', ', at the ' || place) ||
        iif(route = '', '', ', on the way from ' || route) ||
        iif(person = '', '', ', for ' || person) ||
        iif(time = '', '', ', ' || time), ', '), ''), 'everywhere')"""

_APPLIES_TO_LOOKS = _APPLIES_TO.replace("', ' || time)", "', ' || time) || iif(look = '', '', ', that is ' || look)")


def _read_sentences(database: Database) -> None:
    """Read, once, what the rules do that were kept as sentences alone."""
    for row in list(database.query("SELECT id, rule FROM lesson WHERE effect = ''")):
        rule = rule_said(row["rule"])
        if rule is not None and rule.effect is not None:
            database.table("lesson").update(row["id"], {"effect": json.dumps(to_json(rule.effect))})


MIGRATIONS: tuple[tuple[str | Callable[[Database], None], ...], ...] = (
    (  # 1: examples and lessons
        """CREATE TABLE lesson (
    id INTEGER PRIMARY KEY,
    taught_at TEXT NOT NULL, -- ISO 8601, UTC
    taught_by TEXT NOT NULL DEFAULT '',
    rule TEXT NOT NULL, -- in plain words
    kind TEXT NOT NULL, -- task, robot, preference, scene fact, word meaning, parameter or routine
    object_class TEXT NOT NULL DEFAULT '', -- these six: where it applies; all empty: everywhere
    object TEXT NOT NULL DEFAULT '',
    place TEXT NOT NULL DEFAULT '',
    route TEXT NOT NULL DEFAULT '',
    person TEXT NOT NULL DEFAULT '',
    time TEXT NOT NULL DEFAULT '',
    heard TEXT NOT NULL DEFAULT '[]', -- what people said that taught it, a JSON list
    status TEXT NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'forgotten', 'superseded')),
    superseded_by INTEGER REFERENCES lesson (id),
    used_count INTEGER NOT NULL DEFAULT 0,
    last_used_at TEXT
)""",
        """CREATE TABLE example (
    id INTEGER PRIMARY KEY,
    lesson_id INTEGER REFERENCES lesson (id) ON DELETE CASCADE, -- empty for a seed
    origin TEXT NOT NULL CHECK (origin IN ('seed', 'learned')),
    transcript TEXT NOT NULL -- what the model is shown
)""",
        "CREATE INDEX example_of_lesson ON example (lesson_id)",
        """CREATE TABLE instruction (
    id INTEGER PRIMARY KEY,
    example_id INTEGER NOT NULL REFERENCES example (id) ON DELETE CASCADE,
    text TEXT NOT NULL -- what a person says in the example
)""",
        "CREATE INDEX instruction_of_example ON instruction (example_id)",
        """CREATE TABLE embedding (
    instruction_id INTEGER NOT NULL REFERENCES instruction (id) ON DELETE CASCADE,
    model TEXT NOT NULL,
    vector BLOB NOT NULL, -- little-endian 32-bit floats; made anew when missing
    PRIMARY KEY (instruction_id, model)
)""",
        f"""CREATE VIEW lessons AS SELECT -- everything that was ever taught
    id, strftime('%Y-%m-%d %H:%M', taught_at, 'localtime') AS taught, taught_by AS by, rule,
    {_APPLIES_TO} AS "applies to",
    CASE used_count WHEN 0 THEN 'never' WHEN 1 THEN 'once' ELSE used_count || ' times' END AS used,
    status || coalesce(' by ' || superseded_by, '') AS status
FROM lesson ORDER BY id""",
        f"""CREATE VIEW rules AS SELECT -- what holds now
    rule, {_APPLIES_TO} AS "applies to", kind, id AS lesson
FROM lesson WHERE status = 'active' ORDER BY kind, id""",
    ),
    (  # 2: what was said
        """CREATE TABLE utterance (
    id INTEGER PRIMARY KEY,
    at TEXT NOT NULL, -- ISO 8601, UTC
    speaker TEXT NOT NULL DEFAULT '',
    source TEXT NOT NULL, -- microphone, wav, typed or socket
    text TEXT NOT NULL,
    confidence REAL NOT NULL -- of speech recognition, 0 to 1
)""",
        "CREATE INDEX utterance_at ON utterance (at)",
        """CREATE VIEW today AS SELECT -- what was said today
    strftime('%H:%M', at, 'localtime') AS time, iif(speaker = '', 'someone', speaker) AS who, text AS said,
    printf('%d %%', round(100 * confidence)) AS sure
FROM utterance WHERE date(at, 'localtime') = date('now', 'localtime') ORDER BY id""",
    ),
    (  # 3: what the robot did, and on whose word
        """CREATE TABLE action (
    id INTEGER PRIMARY KEY,
    at TEXT NOT NULL, -- ISO 8601, UTC
    ended_at TEXT, -- empty while it is under way, or when the power went
    who TEXT NOT NULL DEFAULT '', -- asked for it; empty where nobody knows
    said TEXT NOT NULL, -- the words that it was done for
    what TEXT NOT NULL, -- the call that moved the robot, or a person's verb such as stop
    outcome TEXT NOT NULL DEFAULT 'under way'
)""",
        "CREATE INDEX action_at ON action (at)",
        """CREATE VIEW actions AS SELECT -- who said what, what moved, and what came of it
    strftime('%Y-%m-%d %H:%M:%S', at, 'localtime') AS time, iif(who = '', 'someone', who) AS who, said,
    what AS did, outcome
FROM action ORDER BY id""",
    ),
    (  # 4: tasks, and how far each has come
        """CREATE TABLE task (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    spec TEXT NOT NULL -- what it means, in a person's words
)""",
        """CREATE TABLE task_run (
    id INTEGER PRIMARY KEY,
    task_id INTEGER NOT NULL REFERENCES task (id) ON DELETE CASCADE,
    at TEXT NOT NULL, -- begun or taken up again; ISO 8601, UTC
    state TEXT NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'suspended', 'done'))
)""",
        """CREATE TABLE task_step (
    id INTEGER PRIMARY KEY,
    run_id INTEGER NOT NULL REFERENCES task_run (id) ON DELETE CASCADE,
    at TEXT NOT NULL, -- ISO 8601, UTC
    ended_at TEXT, -- empty while it is under way, or when the power went
    action TEXT NOT NULL, -- put, give or point
    thing TEXT NOT NULL,
    target TEXT NOT NULL DEFAULT '',
    remains TEXT NOT NULL DEFAULT '[]' -- what was left afterwards where the thing came from, a JSON list
)""",
        "CREATE INDEX task_step_of_run ON task_step (run_id)",
        """CREATE VIEW tasks AS SELECT -- what was begun, and how far it has come
    strftime('%Y-%m-%d %H:%M', task_run.at, 'localtime') AS time, name, state,
    count(task_step.ended_at) AS "steps done", group_concat(iif(ended_at IS NULL, NULL, thing), ', ') AS things
FROM task_run JOIN task ON task.id = task_id LEFT JOIN task_step ON run_id = task_run.id
GROUP BY task_run.id ORDER BY task_run.id""",
    ),
    (  # 5: what is to be done later, or again and again
        """CREATE TABLE later (
    id INTEGER PRIMARY KEY,
    made_at TEXT NOT NULL, -- ISO 8601, UTC
    words TEXT NOT NULL, -- when, in a person's words
    request TEXT NOT NULL, -- what, in a person's words
    due_at TEXT NOT NULL DEFAULT '', -- ISO 8601, UTC; empty where it waits for something to happen
    state TEXT NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'done', 'cancelled'))
)""",
        """CREATE VIEW timers AS SELECT -- what heed will do later
    words AS "when", request, strftime('%Y-%m-%d %H:%M', due_at, 'localtime') AS due
FROM later WHERE state = 'waiting' ORDER BY due_at""",
    ),
    (  # 6: what the things of a rule look like
        "ALTER TABLE lesson ADD COLUMN look TEXT NOT NULL DEFAULT ''",
        "DROP VIEW lessons",
        "DROP VIEW rules",
        f"""CREATE VIEW lessons AS SELECT -- everything that was ever taught
    id, strftime('%Y-%m-%d %H:%M', taught_at, 'localtime') AS taught, taught_by AS by, rule,
    {_APPLIES_TO_LOOKS} AS "applies to",
    CASE used_count WHEN 0 THEN 'never' WHEN 1 THEN 'once' ELSE used_count || ' times' END AS used,
    status || coalesce(' by ' || superseded_by, '') AS status
FROM lesson ORDER BY id""",
        f"""CREATE VIEW rules AS SELECT -- what holds now
    rule, {_APPLIES_TO_LOOKS} AS "applies to", kind, id AS lesson
FROM lesson WHERE status = 'active' ORDER BY kind, id""",
    ),
    (  # 7: what a rule does, as a value
        "ALTER TABLE lesson ADD COLUMN effect TEXT NOT NULL DEFAULT ''",  # JSON; empty where it only informs the mind
        _read_sentences,
    ),
    (  # 8: places that the robot was taught, and where things were seen last
        """CREATE TABLE place (
    name TEXT PRIMARY KEY,
    kind TEXT NOT NULL CHECK (kind IN ('surface', 'container', 'person', 'spot')),
    x REAL NOT NULL, -- where the base stands there; metres and radians, map frame
    y REAL NOT NULL,
    theta REAL NOT NULL,
    height REAL NOT NULL, -- of what things stand on, metres above the floor
    taught_at TEXT NOT NULL, -- ISO 8601, UTC
    taught_by TEXT NOT NULL DEFAULT ''
)""",
        """CREATE TABLE sighting (
    name TEXT PRIMARY KEY, -- of a thing
    category TEXT NOT NULL,
    x REAL NOT NULL, -- metres, map frame
    y REAL NOT NULL,
    z REAL NOT NULL,
    seen_at TEXT NOT NULL, -- ISO 8601, UTC
    source TEXT NOT NULL,
    sigma REAL NOT NULL -- metres
)""",
        """CREATE VIEW places AS SELECT -- where the robot was told that it stands, and what that place is
    name, kind, round(x, 2) AS x, round(y, 2) AS y, round(theta, 2) AS theta, height,
    strftime('%Y-%m-%d %H:%M', taught_at, 'localtime') AS taught, taught_by AS by
FROM place ORDER BY name""",
        """CREATE VIEW seen AS SELECT -- where each thing was seen last
    name, category, round(x, 2) AS x, round(y, 2) AS y, round(z, 2) AS z,
    strftime('%Y-%m-%d %H:%M', seen_at, 'localtime') AS seen, source
FROM sighting ORDER BY seen_at DESC""",
    ),
    (  # 9: what carries a tag that the robot's description does not know
        """CREATE TABLE tag (
    id INTEGER PRIMARY KEY, -- of the printed tag
    name TEXT NOT NULL UNIQUE, -- of the thing that carries it
    named_at TEXT NOT NULL, -- ISO 8601, UTC
    named_by TEXT NOT NULL DEFAULT ''
)""",
    ),
)
"""Numbered from 1 (PRAGMA user_version). What was released is never edited; a change is a new one below."""
