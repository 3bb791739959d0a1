# make setup | run | test | soak | fuzz | lint | bench | pages
# Debian's own Python, if it can make virtual environments: it is optimised, and tests take a tenth less time with it
PYTHON ?= $(shell /usr/bin/python3 -c 'import sys, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo /usr/bin/)python3
VENV := .venv
BIN := $(VENV)/bin
GAME ?= easy-jack
FLOOR ?=
SEEDS ?= 1
SECONDS ?= 600
FRAMES ?= 1000000
PAYLOADS ?= 1000000
CALLS ?= 200
CHAOS ?= 10000
KILLS ?= 500
CUTS ?= 200
TABLES ?= 120
SPELLS ?= 60
TARGETS ?= decoder handshake session angel-eye-2ex bee-tek
ROUNDS ?= 100000
ROWS ?= 100000 1000000 4600000
WAGERS ?= 1000000
EQUAL ?= 1000000
PAGES := tests/controller/monitor tests/controller/telemetry
SERVICE := $(addprefix tests/,secrets prometheus service package)
RULES := tests/controller/games tests/controller/round
DESIGN := $(addprefix tests/controller/,odds plugin_kit check)
DEMOS := $(wildcard tests/system/test_*demo*.py)
COMMANDS := $(addprefix tests/controller/,commands journal past access socket)
DEVICES := tests/drivers tests/contracts tests/fuzz
MAKERS := tests/conformance tests/firmware
ELSEWHERE := tests/system tests/browser tests/controller/floor tests/guest $(PAGES) $(SERVICE) $(COMMANDS) $(RULES) $(DESIGN) $(DEVICES) $(MAKERS)
STAMP := $(VENV)/.ready
PEERS := build/peers
# Tests start hundreds of processes; each reuses what an earlier one has compiled
unexport PYTHONDONTWRITEBYTECODE
# The time of the last commit: all files of the package get it, so that the same sources give the same package
EPOCH ?= $(shell git log -1 --format=%ct 2>/dev/null || echo 0)
# What the tests need besides Python: a C compiler, OpenSSL to check signatures independently, libraries for the C reference,
# a compiler and an emulator for its firmware, a simulated USB, a broker of MQTT, Prometheus with promtool, systemd to check
# the units, QEMU and what makes the disk of a guest. Recommended packages are not installed, so every necessary package is
# named here, such as the font of the pages
DEBIAN := chromium-headless-shell fonts-liberation gcc libc6-dev mosquitto openssl libsodium-dev libnanopb-dev nanopb gcc-arm-none-eabi libnewlib-arm-none-eabi qemu-system-arm dpkg-dev umockdev gir1.2-umockdev-1.0 python3-gi libusb-1.0-0 prometheus systemd udev e2fsprogs mmdebstrap qemu-system-x86

.PHONY: pictures touches setup installed packages run test test-tables test-demos test-people test-pages test-service test-parts test-commands test-floor test-devices test-makers test-rules test-design test-guest guest-image firmware-test guest soak fuzz agree equal lint style types texts bench bench-floor bench-past bench-peers lock protocol deb deb-test wheel pipx-test image image-test clean

# The lock lets two `make run` start in a fresh checkout at the same time
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
	@$(BIN)/python -m compileall -q controller drivers
	@touch $@

packages:
	@missing=$$(dpkg-query -W -f '$${Package} $${Status}\n' $(DEBIAN) 2>/dev/null | \
	  awk -v wanted="$(DEBIAN)" '/ installed$$/ { have[$$1] = 1 } END { n = split(wanted, all, " "); \
	  for (i = 1; i <= n; i++) if (!(all[i] in have)) printf "%s ", all[i] }'); \
	[ -z "$$missing" ] || \
	  { [ "$$(id -u)" = 0 ] && apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends $$missing; } || \
	  { echo "missing: install as root: apt-get install --no-install-recommends $$missing" >&2; exit 1; }

# One table, or with FLOOR=12 a floor of twelve
run: setup
	$(BIN)/tableside $(if $(FLOOR),floor demo --tables $(FLOOR),demo --game $(GAME))

# Quick checks come first. Tests of whole tables, of the floor and of people mostly wait, so the other parts run beside them
# at a lower priority, short ones last, to keep two processors busy to the end. --output-sync prints the output of each part
# in one piece. If a part fails, the others still run, and `make test` fails in the end
PARTS := style test-tables test-floor test-guest test-pages test-parts test-commands test-people test-service test-devices test-makers test-design test-demos types test-rules
ASIDE := nice -n 5
test: packages
	+$(MAKE) --no-print-directory -j2 setup guest-image
	+$(MAKE) --no-print-directory --output-sync --keep-going -j7 $(PARTS)

# The disk of the guest needs nothing that is set up, so it is made meanwhile. If that fails, the tests that need it say why
guest-image:
	-$(PYTHON) -m tests.guest.image

test-tables:
	$(BIN)/python -m pytest tests/system $(DEMOS:%=--ignore=%)

test-demos:
	$(BIN)/python -m pytest $(DEMOS)

test-people:
	$(BIN)/python -m pytest tests/browser

test-pages:
	$(ASIDE) $(BIN)/python -m pytest $(PAGES)

# The programs as they are installed, and what may not leave them
test-service:
	$(ASIDE) $(BIN)/python -m pytest $(SERVICE)

test-parts:
	$(ASIDE) $(BIN)/python -m pytest $(ELSEWHERE:%=--ignore=%)

# What game designers use
test-design:
	$(ASIDE) $(BIN)/python -m pytest $(DESIGN)

# Commands, and what they read
test-commands:
	$(ASIDE) $(BIN)/python -m pytest $(COMMANDS)

test-floor:
	$(BIN)/python -m pytest tests/controller/floor

test-devices:
	$(ASIDE) $(BIN)/python -m pytest $(DEVICES)

# What makers of devices use
test-makers:
	$(ASIDE) $(BIN)/python -m pytest $(MAKERS)

# One boot of an emulated computer, with the package
test-guest:
	$(ASIDE) $(BIN)/python -m pytest tests/guest

# With branch coverage of the rules. The written examples reach all of it; random ones would take three times as long with it
test-rules:
	$(ASIDE) $(BIN)/coverage run -m pytest -m "not hypothesis" $(RULES)
	$(BIN)/coverage report
	$(ASIDE) $(BIN)/python -m pytest -m hypothesis $(RULES)

# The long runs:
# - a thousand rounds on faulty cables and under kills, each compared with an undisturbed play
# - a daemon killed around each of its writes, and at CALLS of its calls to the disk, in each game
# - a journal that is taken away at every step of a round
# - CHAOS rounds with all faults at once
# - TABLES tables where rounds must end after the faults have ended, and SPELLS times the same with whole processes
# - a million frames of sealed links over hostile cables; each rule of the link removed, and noticed
# - every device through all of `tableside device conformance`; every bit of a journal flipped
# - the drills of the floor, among them 10,000 interleavings of a linked progressive
# - a hostile host at both implementations of the device's end, PAYLOADS changed payloads read by both; other Hypothesis examples
#   than in `make test`
# The first seven also fail if they did not produce the events that they are for
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
	$(BIN)/tableside floor drill --all
	$(BIN)/python -m tests.conformance.differ --seconds $(SECONDS)
	$(BIN)/python -m tests.conformance.differ --payloads $(PAYLOADS)
	TABLESIDE_EACH=1 $(BIN)/python -m pytest tests/system/test_crowd.py tests/system/test_scarce_resources.py
	$(BIN)/python -m pytest -m hypothesis --hypothesis-profile curious

# The firmware on an emulated Cortex-M3: all vectors, the whole of `tableside device conformance`, KILLS losses of power in play, an
# update; it prints the figures of firmware-protocol/c/README.md
firmware-test: setup packages
	TABLESIDE_EACH=1 $(BIN)/python -m pytest tests/firmware
	$(BIN)/python -m tests.firmware.long --kills $(KILLS) --seed $(firstword $(SEEDS))
	$(BIN)/python -m tests.firmware.figures

# The table's computer as a guest of QEMU: each game with plugs pulled in each phase, ModemManager, the service's life, an upgrade with a
# round in play, the kiosk, a hardware watchdog, and CUTS losses of power with a disk that loses what was not flushed (needs root)
guest: setup packages
	$(BIN)/python -m tests.guest --cuts $(CUTS) --seed $(firstword $(SEEDS))

# Searches for bytes that break a promise, SECONDS for each target (atheris needs CPython before 3.13)
fuzz: setup
	for target in $(TARGETS); do $(BIN)/python -m tests.fuzz $$target --seconds $(SECONDS) || exit; done

# Deals the same cards to the Round and to the kernel, EQUAL rounds for each set of options of each game
equal: setup
	$(BIN)/python -m tests.controller.odds.kernel.equality --rounds $(EQUAL)

# Compares simulated play with exact odds, bet by bet
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

# Compares the floor with its targets; needs some 25 minutes and a quiet machine. SECONDS says how long a thousand tables play
bench-floor: setup packages
	$(BIN)/python -m benchmarks.floor --seconds $(SECONDS)

# Searches and reports in journals of ROWS rows; ten million take some ten minutes and 15 GB in the folder of temporary files
bench-past: setup
	$(BIN)/python -m benchmarks.past --rows $(ROWS)

# Compares the speed of the rules with other projects, which it installs in build/peers, for this only
bench-peers: setup $(PEERS)/.ready
	$(BIN)/python -m benchmarks.peers --peers $(PEERS)/bin/python

$(PEERS)/.ready: requirements-peers.lock
	$(PYTHON) -m venv $(PEERS)
	$(PEERS)/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-peers.lock
	@touch $@

# Run this after a change of rules, options, odds or routes: it writes the generated parts of docs/
pages: setup
	$(BIN)/python -m controller.pages

# Run this after a change of a text that people read: it brings the catalogues up to date. Then translate the entries without a text
texts: setup
	mkdir -p build
	PYTHONPATH=. $(BIN)/pybabel -q extract -F babel.cfg -k text --add-location=file --sort-by-file --no-wrap \
	  --project tableside --version 1 -o build/texts.pot controller drivers
	$(BIN)/pybabel -q update -l es -i build/texts.pot -o controller/languages/catalogues/es.po --no-fuzzy-matching --ignore-obsolete --no-wrap \
	  --ignore-pot-creation-date

# Run this after a change of the pages: it takes the pictures that docs/ shows, and measures the pages for docs/look.md
pictures: setup packages
	rm -rf build/pictures
	$(BIN)/python -m tests.browser.pictures

# Run this on a quiet machine after a change of the pages: it does the daily jobs and writes their seconds into docs/touches.md
touches: setup packages
	TABLESIDE_WRITE_SECONDS=1 $(BIN)/python -m pytest tests/browser/test_touches.py tests/browser/test_rounds.py

# Run this after a change of the dependencies in pyproject.toml
lock: setup
	$(BIN)/pip-compile --quiet --upgrade --extra dev --extra demo --extra fast --generate-hashes --no-header --no-emit-index-url \
	  --no-emit-find-links --no-emit-trusted-host --strip-extras --allow-unsafe -o requirements.lock pyproject.toml
	$(BIN)/pip-compile --quiet --constraint requirements.lock --generate-hashes --no-header --no-emit-index-url \
	  --no-emit-find-links --no-emit-trusted-host --strip-extras --allow-unsafe -o requirements-run.lock pyproject.toml
	sed -i '/-c requirements.lock$$/d' requirements-run.lock
	$(BIN)/pip-compile --quiet --upgrade --generate-hashes --no-header --no-emit-index-url \
	  --no-emit-find-links --no-emit-trusted-host --strip-extras --allow-unsafe -o requirements-peers.lock benchmarks/peers/requirements.in

# Builds dist/tableside_VERSION_ARCHITECTURE.deb and dist/tableside-floor_VERSION_ARCHITECTURE.deb, for a Debian whose python3 has the same minor version as this one
deb: setup
	SOURCE_DATE_EPOCH=$(EPOCH) $(BIN)/python -m systemd.deb $(if $(RELEASE_KEY),--release-key $(RELEASE_KEY))

# Builds a wheel and an sdist in dist/; the same sources give the same bytes
wheel: setup
	SOURCE_DATE_EPOCH=$(EPOCH) $(BIN)/python -m systemd.wheels

# Installs the wheel and the sdist with pipx in a clean Debian without a network, and plays demonstrations there (needs root)
pipx-test: DEBIAN := iproute2 mmdebstrap
pipx-test: setup packages
	$(BIN)/python -m tests.package.pipx

# Builds dist/tableside-image, an image for containers, from packages of Debian and the Python registry (needs root)
image: DEBIAN := mmdebstrap
image: setup packages
	SOURCE_DATE_EPOCH=$(EPOCH) $(BIN)/python -m systemd.oci

# Builds the image twice, compares the bytes, and plays a demonstration in it (needs root)
image-test: DEBIAN := iproute2 mmdebstrap
image-test: setup packages
	$(BIN)/python -m tests.package.container

# Runs each line of docs/install.md in a clean Debian, from installation to removal. In another one, it upgrades a version with
# one service while a round is in play. In two more, it runs each line of docs/install-floor.md (needs root and the whole history)
deb-test: DEBIAN := iproute2 mmdebstrap
deb-test: setup packages
	$(BIN)/python -m tests.package

# Run this after a change of firmware-protocol/proto, or of the message list in firmware-protocol/README.md
protocol: setup
	$(BIN)/python -m drivers.protocol
	$(MAKE) -C firmware-protocol/c messages

clean:
	rm -rf $(VENV) build dist *.egg-info
