"""heed's own brain: an adapter on SmolLM2-135M-Instruct (Apache-2.0), taught with the corpus.

samples.py makes pairs of prompt and answer from the dialogues, llama.py is the network, train.py teaches the adapter,
adapter.py writes it as a file, merge.py joins it with its base, judge.py lets voices that it never heard talk to it.
"""
