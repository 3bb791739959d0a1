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
TABLES ?= 120
SPELLS ?= 60
TARGETS ?= decoder handshake session angel-eye-2ex bee-tek
ROUNDS ?= 100000
WAGERS ?= 1000000
PAGES := tests/controller/monitor tests/secrets tests/prometheus tests/service tests/package
RULES := tests/controller/games tests/controller/round
DEVICES := tests/drivers tests/contracts tests/conformance tests/fuzz
ELSEWHERE := tests/system tests/browser $(PAGES) $(RULES) $(DEVICES)
STAMP := $(VENV)/.ready
# Tests start hundreds of processes: what one has compiled, the next one finds
unexport PYTHONDONTWRITEBYTECODE
# When the sources were last changed: the age of all files of the package
EPOCH ?= $(shell git log -1 --format=%ct 2>/dev/null || echo 0)
# What the tests use beyond Python: a C compiler, a second opinion on signatures, primitives and messages for the C
# reference, a USB without hardware, Prometheus with its promtool, systemd to judge units by. Nothing comes along that is only
# recommended: what is needed is named, such as the pages' font
DEBIAN := chromium fonts-liberation gcc libc6-dev openssl libsodium-dev libnanopb-dev nanopb umockdev gir1.2-umockdev-1.0 python3-gi libusb-1.0-0 prometheus systemd udev

.PHONY: pictures setup installed packages run test test-tables test-people test-pages test-parts test-devices test-rules soak fuzz agree lint style types bench lock protocol deb deb-test clean

# One at a time: two of `make run` may begin in a fresh checkout
setup:
	+@flock Makefile $(MAKE) --no-print-directory installed

installed: $(STAMP)
	@:

$(STAMP): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import ensurepip' 2>/dev/null || \
	  { [ "$$(id -u)" = 0 ] && apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends python3-venv; } || \
	  { echo "python3-venv is missing: install it as root (apt-get install --no-install-recommends python3-venv)" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

packages:
	@missing=$$(dpkg-query -W -f '$${Package} $${Status}\n' $(DEBIAN) 2>/dev/null | \
	  awk -v wanted="$(DEBIAN)" '/ installed$$/ { have[$$1] = 1 } END { n = split(wanted, all, " "); \
	  for (i = 1; i <= n; i++) if (!(all[i] in have)) printf "%s ", all[i] }'); \
	[ -z "$$missing" ] || \
	  { [ "$$(id -u)" = 0 ] && apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends $$missing; } || \
	  { echo "missing: install as root: apt-get install --no-install-recommends $$missing" >&2; exit 1; }

run: setup
	$(BIN)/tableside demo --game $(GAME)

# What is found at once comes first. Whole tables and people mostly wait: the rest runs beside them and gives way, short
# parts last, so that two processors are busy to the end; each part's words in one piece. A part that fails keeps no other
# from running, and fails all of it in the end
PARTS := style test-tables test-pages test-parts test-people test-devices types test-rules
ASIDE := nice -n 5
test: setup packages
	+$(MAKE) --no-print-directory --output-sync --keep-going -j3 $(PARTS)

test-tables:
	$(BIN)/python -m pytest tests/system

test-people:
	$(BIN)/python -m pytest tests/browser

test-pages:
	$(ASIDE) $(BIN)/python -m pytest $(PAGES)

test-parts:
	$(ASIDE) $(BIN)/python -m pytest $(ELSEWHERE:%=--ignore=%)

test-devices:
	$(ASIDE) $(BIN)/python -m pytest $(DEVICES)

# Every branch of the rules
test-rules:
	$(ASIDE) $(BIN)/coverage run -m pytest $(RULES)
	$(BIN)/coverage report

# Thousand-round plays on faulty cables and under kills, each compared with one that nothing befell; a daemon killed
# around each of its writes, and at CALLS of its calls to the disk, in each game; CHAOS rounds of everything at once;
# TABLES tables where faults end and rounds must end after them, the same SPELLS times with whole processes; a million
# frames of sealed links over hostile cables;
# each rule of the link taken out, and noticed; every device through all of `tableside conformance`; every bit of a
# journal flipped; a hostile host at both implementations of the device's end; other examples than those of each test
# run. The first seven fail, too, when they did not meet what they are for
soak: setup
	$(BIN)/python -m tests.system.soak --game $(GAME) --seeds $(SEEDS)
	$(BIN)/python -m tests.system.crashes --kinds moment twice
	$(BIN)/python -m tests.system.crashes --kinds call torn power --most $(CALLS) --seed $(firstword $(SEEDS))
	$(BIN)/python -m tests.system.journal_loss
	$(BIN)/python -m tests.system.chaos --seed $(firstword $(SEEDS)) --rounds $(CHAOS)
	$(BIN)/python -m tests.system.liveness --seed $(firstword $(SEEDS)) --tables $(TABLES)
	$(BIN)/python -m tests.system.aftermath --seed $(firstword $(SEEDS)) --spells $(SPELLS)
	$(BIN)/python -m tests.drivers.link.hostile --frames $(FRAMES) --seed $(firstword $(SEEDS))
	$(BIN)/python -m tests.drivers.link.why
	$(BIN)/python -m tests.drivers.conformance.soak
	$(BIN)/python -m tests.controller.journal.bits
	$(BIN)/python -m tests.controller.jackpot.wagers --wagers $(WAGERS) --seed $(firstword $(SEEDS))
	$(BIN)/python -m tests.conformance.differ --seconds $(SECONDS)
	TABLESIDE_EACH=1 $(BIN)/python -m pytest tests/system/test_crowd.py tests/system/test_scarce_resources.py
	$(BIN)/python -m pytest -m hypothesis --hypothesis-profile curious

# A search for bytes that break a promise, each target for so long (atheris: CPython before 3.13)
fuzz: setup
	for target in $(TARGETS); do $(BIN)/python -m tests.fuzz $$target --seconds $(SECONDS) || exit; done

# Simulated play beside exact odds, bet by bet
agree: setup
	$(BIN)/python -m benchmarks.agreement --rounds $(ROUNDS)

lint: style types

style: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: setup
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: setup packages
	$(BIN)/python -m benchmarks

# After a change of rules, options, odds or routes: what docs/ say of them
pages: setup
	$(BIN)/python -m controller.pages
	$(BIN)/python -m controller.monitor.role_matrix > docs/roles.md

# After a change of what people see: the pictures of the operator's guide. Those that it does not show are left out
pictures: setup packages
	rm -rf build/pictures && mkdir -p build/pictures
	TABLESIDE_PICTURES=$(CURDIR)/build/pictures $(BIN)/python -m pytest -q tests/browser/test_looks.py
	for shown in docs/pictures/*.png; do cp build/pictures/$${shown##*/} $$shown; done

# After a change of pyproject.toml's dependencies
lock: setup
	$(BIN)/pip-compile --quiet --upgrade --extra dev --generate-hashes --no-header --no-emit-index-url \
	  --no-emit-find-links --no-emit-trusted-host --strip-extras --allow-unsafe -o requirements.lock pyproject.toml
	$(BIN)/pip-compile --quiet --constraint requirements.lock --generate-hashes --no-header --no-emit-index-url \
	  --no-emit-find-links --no-emit-trusted-host --strip-extras --allow-unsafe -o requirements-run.lock pyproject.toml
	sed -i '/-c requirements.lock$$/d' requirements-run.lock

# dist/tableside_VERSION_ARCHITECTURE.deb, for the Debian whose python3 is of this Python's minor version
deb: setup
	SOURCE_DATE_EPOCH=$(EPOCH) $(BIN)/python -m systemd.deb

# The package's whole life in a clean Debian, and each line of docs/install.md there (root and mmdebstrap needed)
deb-test: setup packages
	$(BIN)/python -m tests.package

# After a change of firmware-protocol/proto
protocol: setup
	$(BIN)/python -m drivers.protocol
	$(MAKE) -C firmware-protocol/c messages

clean:
	rm -rf $(VENV) build dist *.egg-info
