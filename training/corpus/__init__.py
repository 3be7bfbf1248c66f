"""How people talk to a robot, and what a good mind answers: dialogues of many voices, each of which was run."""
