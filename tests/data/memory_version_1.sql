-- A memory of version 1, as `sqlite3 memory.sqlite .dump` writes it; the dump leaves out the two pragmas.
BEGIN TRANSACTION;
PRAGMA application_id = 1751475556;
PRAGMA user_version = 1;
CREATE TABLE embedding (
    instruction_id INTEGER NOT NULL REFERENCES instruction (id) ON DELETE CASCADE,
    model TEXT NOT NULL,
    vector BLOB NOT NULL, -- little-endian 32-bit floats; made anew when missing
    PRIMARY KEY (instruction_id, model)
);
CREATE TABLE example (
    id INTEGER PRIMARY KEY,
    lesson_id INTEGER REFERENCES lesson (id) ON DELETE CASCADE, -- empty for a seed
    origin TEXT NOT NULL CHECK (origin IN ('seed', 'learned')),
    transcript TEXT NOT NULL -- what the model is shown
);
INSERT INTO "example" VALUES(1,1,'learned','>>> wait_for_trigger()
{''type'': ''dialog'', ''text'': ''I want some juice''}
>>> bring_object_to(''juice'', ''person'')
''success''
>>> bring_object_to(''cup'', ''person'')
''success''
');
CREATE TABLE instruction (
    id INTEGER PRIMARY KEY,
    example_id INTEGER NOT NULL REFERENCES example (id) ON DELETE CASCADE,
    text TEXT NOT NULL -- what a person says in the example
);
INSERT INTO "instruction" VALUES(1,1,'I want some juice');
CREATE TABLE lesson (
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
);
INSERT INTO "lesson" VALUES(1,'2025-11-03T17:02:11+00:00','Anna','When you ask for a drink, I bring a cup with it','task','drink','','','','','','["next time don''t forget the cup"]','active',NULL,0,NULL);
CREATE INDEX example_of_lesson ON example (lesson_id);
CREATE INDEX instruction_of_example ON instruction (example_id);
CREATE VIEW lessons AS SELECT -- everything that was ever taught
    id, strftime('%Y-%m-%d %H:%M', taught_at, 'localtime') AS taught, taught_by AS by, rule,
    coalesce(nullif(ltrim(
        iif(object_class = '', '', ', any ' || object_class) ||
        iif(object = '', '', ', the ' || object) ||
        iif(place = '', '', ', at the ' || place) ||
        iif(route = '', '', ', on the way from ' || route) ||
        iif(person = '', '', ', for ' || person) ||
        iif(time = '', '', ', ' || time), ', '), ''), 'everywhere') AS "applies to",
    CASE used_count WHEN 0 THEN 'never' WHEN 1 THEN 'once' ELSE used_count || ' times' END AS used,
    status || coalesce(' by ' || superseded_by, '') AS status
FROM lesson ORDER BY id;
CREATE VIEW rules AS SELECT -- what holds now
    rule, coalesce(nullif(ltrim(
        iif(object_class = '', '', ', any ' || object_class) ||
        iif(object = '', '', ', the ' || object) ||
        iif(place = '', '', ', at the ' || place) ||
        iif(route = '', '', ', on the way from ' || route) ||
        iif(person = '', '', ', for ' || person) ||
        iif(time = '', '', ', ' || time), ', '), ''), 'everywhere') AS "applies to", kind, id AS lesson
FROM lesson WHERE status = 'active' ORDER BY kind, id;
COMMIT;
