"""Words that people say in any household, beside the sentences that a robot expects.

Pocketsphinx can only hear words that it was given. With none but the expected ones, every other speech is
bent into a command; with these beside them it becomes what it is, a string of words that makes no sense here.
"""

_WORDS = """
a about add again all also always am an and any are ask at away back backward be bed before behind below beside
between big black blue book both bottom bowl box bring brown but by call can cancel careful carry chair check clean
close color come continue cool could counter cup dark date day degrees dim do does don't done door down drop eight
eighteen eighty eleven empty enough every everything fast faster fetch few fifteen fifty find fine finish first five
floor follow for forget forty forward four fourteen fresh friday fridge from front full get give glass go good grab
great green half hand hands have he hear heat hello help her here high hold home hot hour hours house how hundred i in
inside into is it its just keep kitchen know large last later learn leave left less let lift light lights like list
little living lock long look low lower make many may me mean meter minute minutes moment monday month more morning
move much music my name near need never nevermind new next nice night nine nineteen ninety no not nothing now of off
oh okay old on once one only open or orange other our out over pause percent pick pink place plate play please point
problem put quarter quick quickly read ready red remember remove repeat resume right room rule run same saturday say
second seconds see set seven seventeen seventy she shelf should show shut side sit six sixteen sixty skip slow slower
slowly small some something song soon sorry start status stay still stop sunday sure table take talk tell temperature
ten than thank thanks that the their them then there these they thing things think third thirteen thirty this those
thousand three thursday time timer timers to today together tomorrow too took top try tuesday turn twelve twenty two
under unlock until up upstairs use very volume wait want warm was watch water way we weather wednesday week well were
what what's when where which white who why will window windows with without word work would wrong yellow yes yesterday
you your zero
"""
COMMON_WORDS = frozenset(_WORDS.split())
