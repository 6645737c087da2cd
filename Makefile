# The two commands of the README, and the ones they are made of. Everything needed is set up on the way.
PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready

.PHONY: setup run test lint bench bench-server docs lock clean

run: $(READY)
	@$(BIN)/signoria serve --open --log-level warning

test: lint
	$(BIN)/pytest -n auto

lint: $(READY)
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(READY)
	$(BIN)/signoria bench patrician
	$(BIN)/signoria bench il-principe --players 4

bench-server: $(READY)  ## about four minutes; make docs then writes it into docs/performance.md
	$(BIN)/signoria bench-server --save docs/performance/server.json

setup: $(READY)

docs: $(READY)  ## docs/components.md and docs/rules.md from the data they document
	$(BIN)/python docs/make_docs.py

lock:  ## needs uv; the only file that pins versions
	uv pip compile pyproject.toml --all-extras --group dev --generate-hashes --universal --python-version 3.11 --no-header -o requirements.lock

$(READY): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else f"Signoria needs Python 3.11 or newer; {sys.executable} is {sys.version.split()[0]}. Try: make PYTHON=python3.11 $(MAKECMDGOALS)")'
	@$(PYTHON) -c 'import ensurepip, venv' || { echo "Python came without venv: install it (Debian: python3-venv)."; exit 1; }
	@echo "Setting up .venv (once, about a minute) ..."
	@$(PYTHON) -m venv --clear .venv
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

clean:
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
