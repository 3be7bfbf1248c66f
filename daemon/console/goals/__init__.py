"""Goals in an answer: `bring('milk')` stands for the drives, doors and grasps that it takes from how things are now.

    bring(thing, person='person')   put(thing, place)   take(thing)   go(place)   open(place)   close(place)
    put_all(which, place or person, but ...)        many things at once
    tell(thing, place, person, kind or state)       what is where

A small mind that was taught so writes what is to be done, and not the way there. Each goal is turned into the
console's own statements, one by one, from what is seen just before: lessons, limits, errors and stops hold for them as
for all others.

goal.py                  one goal: how it is written, and told
sweeps.py, telling.py    goals about many things, and about none
vocabulary.py            which goals there are
surroundings.py          what is seen now
completion.py            what lessons make of an answer's goals
planner.py               the way to each
"""
