"""Words that people say in any household, beside the sentences that a robot expects.

The embedded recogniser can only hear words that it was given. With none but the expected ones, every other speech is
bent into a command; with these beside them it becomes what it is, a string of words that makes no sense here.
"""

_WORDS = """
a about add again all also always am an and any are ask at away back backward be bed before behind below beside
between big black blue book both bottom bowl box bring brown but by call can cancel careful carry chair check clean
close color come continue cool could counter cup dark date day degrees dim do does don't done door down drop empty
enough every everything fast faster fetch few find fine finish first five floor follow for forget forward four fresh
fridge from front full get give glass go good grab great green half hand hands have he hear heat hello help her here
high hold home hot hour hours house how hundred i in inside into is it its just keep kitchen know large last later
learn leave left less let lift light lights like list little living lock long look low lower make many may me mean
meter minute minutes moment month more morning move much music my name near need never nevermind new next nice night
no not nothing now of off oh okay old on once one only open or orange other our out over pause percent pick pink
place plate play please point problem put quick quickly read ready red remember remove repeat resume right room rule
run same say second seconds see set she shelf should show shut side sit six skip slow slower slowly small some
something song soon sorry start status stay still stop sure table take talk tell temperature ten than thank thanks
that the their them then there these they thing things think third this those three time timer timers to today
together tomorrow too took top try turn two under unlock until up upstairs use very volume wait want warm was watch
water way we weather week well were what what's when where which white who why will window windows with without word
work would wrong yellow yes yesterday you your
"""
COMMON_WORDS = frozenset(_WORDS.split())
