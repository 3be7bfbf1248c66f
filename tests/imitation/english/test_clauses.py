"""What a slip of spelling is, and what is none."""

from daemon.imitation.english.clauses import spelled
from daemon.imitation.english.vocabulary import Names


def test_a_verb_that_people_use_is_no_slip_of_a_things_name() -> None:
    names = Names(objects=(("shoe", "clothing", "shelf"),), places=("sink",))
    assert spelled("shove the cup to the sink", names) == "shove the cup to the sink"
    assert spelled("bring me the shoee", names) == "bring me the shoe"
