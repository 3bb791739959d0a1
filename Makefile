# make setup | run | test | soak | fuzz | lint | bench | pages
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
GAME ?= easy-jack
SEEDS ?= 1
SECONDS ?= 600
FRAMES ?= 1000000
CALLS ?= 200
CHAOS ?= 10000
TARGETS ?= decoder handshake session angel-eye-2ex bee-tek
ROUNDS ?= 100000
WAGERS ?= 1000000
RULES := tests/controller/games tests/controller/round
STAMP := $(VENV)/.ready
# What the tests use beyond Python: a C compiler, a second opinion on signatures, primitives and messages for the C
# reference, a USB without hardware
DEBIAN := gcc libc6-dev openssl libsodium-dev libnanopb-dev nanopb umockdev gir1.2-umockdev-1.0 python3-gi libusb-1.0-0

.PHONY: setup packages run test test-tables test-parts test-rules soak fuzz agree lint bench lock protocol clean

setup: $(STAMP)

$(STAMP): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import ensurepip' 2>/dev/null || \
	  { [ "$$(id -u)" = 0 ] && apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -qy python3-venv; } || \
	  { echo "python3-venv is missing: install it as root (apt-get install python3-venv)" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

packages:
	@missing=$$(dpkg-query -W -f '$${Package} $${Status}\n' $(DEBIAN) 2>/dev/null | \
	  awk -v wanted="$(DEBIAN)" '/ installed$$/ { have[$$1] = 1 } END { n = split(wanted, all, " "); \
	  for (i = 1; i <= n; i++) if (!(all[i] in have)) printf "%s ", all[i] }'); \
	[ -z "$$missing" ] || \
	  { [ "$$(id -u)" = 0 ] && apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -qy $$missing; } || \
	  { echo "missing: install as root: apt-get install $$missing" >&2; exit 1; }

run: setup
	$(BIN)/tableside demo --game $(GAME)

# Whole tables mostly wait for their devices: they run beside the rest, each part's words in one piece
test: setup packages lint
	+$(MAKE) --no-print-directory --output-sync -j2 test-tables test-parts test-rules

test-tables:
	$(BIN)/python -m pytest tests/system

test-parts:
	$(BIN)/python -m pytest --ignore=tests/system $(RULES:%=--ignore=%)

# Every branch of the rules
test-rules:
	$(BIN)/coverage run -m pytest $(RULES)
	$(BIN)/coverage report

# Thousand-round plays on faulty cables and under kills, each compared with one that nothing befell; a daemon killed
# around each of its writes, and at CALLS of its calls to the disk, in each game; CHAOS rounds of everything at once; a million
# frames of sealed links over hostile cables; each rule of the link taken out, and noticed;
# every device through all of `tableside conformance`; every bit of a journal flipped;
# a hostile host at both implementations of the device's end
soak: setup
	$(BIN)/python -m tests.system.soak --game $(GAME) --seeds $(SEEDS)
	$(BIN)/python -m tests.system.crashes --kinds moment twice
	$(BIN)/python -m tests.system.crashes --kinds call torn power --most $(CALLS) --seed $(firstword $(SEEDS))
	$(BIN)/python -m tests.system.chaos --seed $(firstword $(SEEDS)) --rounds $(CHAOS)
	$(BIN)/python -m tests.drivers.link.hostile --frames $(FRAMES) --seed $(firstword $(SEEDS))
	$(BIN)/python -m tests.drivers.link.why
	$(BIN)/python -m tests.drivers.conformance.soak
	$(BIN)/python -m tests.controller.journal.bits
	$(BIN)/python -m tests.controller.jackpot.wagers --wagers $(WAGERS) --seed $(firstword $(SEEDS))
	$(BIN)/python -m tests.conformance.differ --seconds $(SECONDS)

# A search for bytes that break a promise, each target for so long (atheris: CPython before 3.13)
fuzz: setup
	for target in $(TARGETS); do $(BIN)/python -m tests.fuzz $$target --seconds $(SECONDS) || exit; done

# Simulated play beside exact odds, bet by bet
agree: setup
	$(BIN)/python -m benchmarks.agreement --rounds $(ROUNDS)

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: setup packages
	$(BIN)/python -m benchmarks

# After a change of rules, options or odds: what docs/ say of them
pages: setup
	$(BIN)/python -m controller.pages

# After a change of pyproject.toml's dependencies
lock: setup
	$(BIN)/pip-compile --quiet --upgrade --extra dev --generate-hashes --no-header --no-emit-index-url \
	  --no-emit-find-links --no-emit-trusted-host --strip-extras --allow-unsafe -o requirements.lock pyproject.toml

# After a change of firmware-protocol/proto
protocol: setup
	$(BIN)/python -m drivers.protocol
	$(MAKE) -C firmware-protocol/c messages

clean:
	rm -rf $(VENV) build dist *.egg-info
