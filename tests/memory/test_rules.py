"""Where a rule applies."""

import pytest

from daemon.memory.rules import EVERYWHERE, Scope


@pytest.mark.parametrize(
    ("scope", "situation", "covered"),
    [
        (EVERYWHERE, EVERYWHERE, True),
        (EVERYWHERE, Scope(object="milk"), True),
        (Scope(object_class="drink"), Scope(object="milk", object_class="drink"), True),
        (Scope(object_class="Drink"), Scope(object="milk", object_class="drink"), True),
        (Scope(object_class="drink"), Scope(object="apple", object_class="fruit"), False),
        (Scope(object_class="drink"), EVERYWHERE, False),
        (Scope(route="table to workbench"), Scope(route="workbench to table"), False),
        (Scope(object="cup", person="Anna"), Scope(object="cup", person="Ben"), False),
    ],
)
def test_a_scope_covers_what_agrees_in_all_that_it_names(scope, situation, covered):
    assert scope.covers(situation) is covered


def test_a_scope_reads_as_words():
    assert EVERYWHERE.words == "everywhere"
    assert Scope(object_class="drink", person="Anna").words == "any drink, for Anna"
    assert Scope(route="table to workbench").words == "on the way from table to workbench"
