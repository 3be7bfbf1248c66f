"""An order read as a whole: which thing of the scene somebody means who says it in several sentences.

"There's a flowerpot up on the windowsill. Would you take it down for me?" asks to "take the flowerpot that is on the
windowsill". What names things here is found first; then the verb, wherever it stands; then everything that any clause
tells of the thing: where it is, what it is like, which one is not meant. A thing that is only named as a place, or is
ruled out, is not what is asked for. Where the words leave open what is to be done, there is no order.

order_from_words.py  from what was said to the order: the files below, in turn
order_tokens.py what was said, in clauses, with tokens for the things it names
wish_clauses.py what is asked for: which clauses ask, and which of them counts
imperatives.py  ... by a verb: "fish it out", "the cucumber wants cutting"
hints.py        ... by a hint: "into the box it goes", "I could do with a towel"
arguments.py    what stands behind a verb: the thing, the place, the person
antecedents.py  what "it" is
wish.py         one thing that is asked for
plain_text.py   everything that is told of a thing, and the order in plain words
roles.py        what part a word plays among those around it
"""
