"""Trains heed's own small language model from nothing: conversations in simulated worlds, tokenizer, network, GGUF.

`make model` runs all of it; models/heed-small/README.md says what came of it. Only the commands that train need torch;
nothing of this is needed to run heed.
"""
