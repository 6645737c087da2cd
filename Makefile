# The commands of the README and of CONTRIBUTING.md. Each one installs what it needs.
PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready
TOOLS := .venv/.tools
PINNED := --generate-hashes --universal --python-version 3.11 --no-header
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check

# Python starts three times as fast with compiled modules; container images often disable them.
unexport PYTHONDONTWRITEBYTECODE

# Two workers per core (tests/conftest.py). Tests that share a server run in the same worker. The longest tests start first.
PYTEST := $(BIN)/pytest -n auto --dist loadgroup --no-loadscope-reorder

.PHONY: setup tools run test quick lint style types bench bench-server bench-peers bench-scaling bench-gpu soak docs lab-docs messages pictures icons lock chromium clean

run: $(READY)
	@$(BIN)/signoria serve --open --log-level warning

# One game takes longer to compile than the other: mypy then has the core that is free.
COMPILE := $(BIN)/python -m tests.compile_rules

test: style chromium  ## all checks, about 11 minutes on two cores
	$(call beside_types,$(COMPILE) && $(PYTEST))

quick: style  ## the same without the browser and without tests marked slow, under two minutes
	$(call beside_types,$(COMPILE) && $(PYTEST) --ignore=tests/e2e -m "not slow")

lint: style types

style: $(TOOLS)
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/lint-imports
	$(BIN)/oxlint --deny-warnings src

types: $(TOOLS)
	$(BIN)/mypy

# Run a command while mypy checks the types in parallel, and print mypy's output at the end.
define beside_types
@mkdir -p .mypy_cache; $(BIN)/mypy >.mypy_cache/found.txt 2>&1 & types=$$!; \
echo '$(1)'; $(1); status=$$?; \
wait $$types || status=1; echo 'mypy:'; cat .mypy_cache/found.txt; exit $$status
endef

bench: $(READY)
	$(BIN)/signoria bench patrician
	$(BIN)/signoria bench il-principe --players 4

bench-server: $(READY)  ## about three minutes; make docs then writes it into docs/performance.md
	$(BIN)/signoria bench-server --save docs/performance/server.json

bench-peers: $(TOOLS)  ## OpenSpiel, Pgx, Catanatron and PettingZoo in .peers; about ten minutes; make docs then writes the tables
	@test -x .peers/bin/python || $(PYTHON) -m venv .peers
	@.peers/bin/python -m pip install --quiet --disable-pip-version-check -r tests/bench/peers.txt
	$(BIN)/python -m tests.bench.peers .peers/bin/python --save docs/performance/peers.json $(PEERS)

bench-scaling: $(TOOLS)  ## two minutes; make docs then draws it
	$(BIN)/python -m tests.bench.scaling --save docs/performance/scaling.json

bench-gpu: $(TOOLS)  ## checks and measures games on an NVIDIA GPU, with PyTorch
	@$(INSTALL) numba-cuda torch
	$(BIN)/python -m tests.bench.gpu --save docs/performance/gpu.json

soak: $(TOOLS)  ## an hour to an hour and a half; make docs then writes it into docs/reliability.md
	$(BIN)/signoria soak --save docs/reliability/campaign.json

setup: $(READY)

tools: $(TOOLS)

chromium:  ## for the browser tests; silent if it is already installed
	@command -v chromium >/dev/null || { \
	  as_root=$$([ "$$(id -u)" = 0 ] || echo "sudo -n"); install="$$as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq"; \
	  if command -v apt-get >/dev/null && $$as_root true 2>/dev/null; then \
	    echo "Installing chromium for the browser tests (once) ..."; \
	    get="$$install install --no-install-recommends"; \
	    both="chromium chromium-headless-shell"; \
	    { $$get $$both || { $$install update && $$get $$both; } || $$get chromium; } >/dev/null 2>&1; \
	  fi; \
	  command -v chromium >/dev/null || echo "chromium is missing and could not be installed, so the browser tests are skipped (Debian: apt install chromium)."; }

docs: $(TOOLS)  ## the documents that are generated from data
	$(BIN)/python docs/make_docs.py

messages: $(TOOLS)  ## bring the catalogues of all languages up to date with the texts in the source
	$(BIN)/python -m tests.language.messages

lab-docs: $(TOOLS)  ## plays the games of docs/laboratory.md, a few minutes; make docs then writes it
	$(BIN)/python docs/laboratory_docs.py --play

pictures: $(TOOLS)  ## docs/pictures: screenshots of fixed positions in a real browser
	$(BIN)/python docs/make_pictures.py

icons: $(TOOLS)  ## the icons of the site and of the installed app, drawn in a real browser
	$(BIN)/python docs/make_icons.py

lock:  ## needs uv; pins the versions for running, and those for development
	uv pip compile pyproject.toml --extra cluster --extra env --extra gpu --extra notifications --extra print --group dev $(PINNED) -o requirements-dev.lock
	uv pip compile pyproject.toml --group build $(PINNED) -c requirements-dev.lock -o requirements.lock

$(READY): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else f"Signoria needs Python 3.11 or newer; {sys.executable} is {sys.version.split()[0]}. Try: make PYTHON=python3.11 $(MAKECMDGOALS)")'
	@$(PYTHON) -c 'import ensurepip, venv' || { echo "This Python has no venv module: install it (Debian: python3-venv)."; exit 1; }
	@echo "Setting up .venv (once, less than half a minute) ..."
	@$(PYTHON) -m venv --clear .venv
	@$(INSTALL) --require-hashes --no-compile -r requirements.lock
	@$(INSTALL) --no-deps --no-build-isolation --editable .
	@touch $@

$(TOOLS): $(READY) requirements-dev.lock
	@echo "Installing the tools for tests and documents (once, about a minute) ..."
	@$(INSTALL) --require-hashes -r requirements-dev.lock
	@touch $@

clean:
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
