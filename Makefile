# Every target works on a fresh machine with python3 (3.12 or later, with venv and pip) and make.
SHELL := /bin/bash
.DEFAULT_GOAL := help

PYTHON ?= $(shell for python in python3 python3.13 python3.12 python3.14; do \
	$$python -c 'import sys; sys.exit(sys.version_info < (3, 12))' 2>/dev/null && { echo $$python; break; }; done)
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/pip --disable-pip-version-check --quiet
AUDITION := $(BIN)/audition
EVAL_FLAGS ?=
PYTEST_FLAGS ?=
PATHS := src tests evals examples benchmarks

.PHONY: help
help: ## Say what there is
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 24

$(BIN)/python:
	@test -n "$(PYTHON)" || { echo "no Python 3.12 or later found: set PYTHON=/path/to/python3.12" >&2; exit 2; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/main.stamp: requirements/main.txt pyproject.toml | $(BIN)/python
	$(PIP) install --require-hashes -r requirements/main.txt
	$(PIP) install --no-deps --no-build-isolation -e .
	@touch $@

$(VENV)/dev.stamp: requirements/dev.txt $(VENV)/main.stamp
	$(PIP) install --require-hashes -r requirements/dev.txt
	@touch $@

.PHONY: install
install: $(VENV)/dev.stamp ## Make the environment with everything for development

## The jobs

.PHONY: eval-retrieval
eval-retrieval: $(VENV)/main.stamp ## Evaluate the knowledge team on datasets/retrieval.json, without a key
	$(AUDITION) run datasets/retrieval.json $(EVAL_FLAGS)

.PHONY: eval-scenarios
eval-scenarios: $(VENV)/main.stamp ## Evaluate the team on conversations over prepared pages, without a key
	$(AUDITION) run datasets/scenarios.json $(EVAL_FLAGS)

.PHONY: eval-production-tools
eval-production-tools: $(VENV)/main.stamp ## Evaluate the team's own web tool and database, on pages that this machine serves, without a key
	$(BIN)/python -m evals.knowledge.production_tools $(EVAL_FLAGS)

.PHONY: demo-faults
demo-faults: $(VENV)/main.stamp ## Plant each fault in the good team, and show which layer is blamed
	@$(BIN)/python -m evals.knowledge.demo_faults

.PHONY: eval-dataset
eval-dataset: $(VENV)/main.stamp ## Evaluate on any dataset file: make eval-dataset DATASET=path
	@test -n "$(DATASET)" || { echo "say which: make eval-dataset DATASET=path/to/file.json" >&2; exit 2; }
	$(AUDITION) run $(DATASET) $(EVAL_FLAGS)

.PHONY: demo-golden
demo-golden: $(VENV)/main.stamp ## Judge three recorded sessions with one suite: a good one, an ungrounded one, a wrong city
	@AUDITION=$(AUDITION) bash evals/golden/demo.sh

## The tests

.PHONY: test
test: $(VENV)/dev.stamp ## The fast tests
	$(BIN)/pytest -n auto -m "not slow and not live" $(PYTEST_FLAGS)

.PHONY: postgres
postgres: ## Install Debian's PostgreSQL server, which some slow tests start for themselves, where none is
	@compgen -G "/usr/lib/postgresql/*/bin/initdb" >/dev/null || command -v initdb >/dev/null || { \
		apt-get update --quiet && DEBIAN_FRONTEND=noninteractive apt-get install --quiet --yes --no-install-recommends postgresql; } \
		|| { echo "no PostgreSQL server: install Debian's package postgresql" >&2; exit 2; }

.PHONY: test-slow
test-slow: $(VENV)/dev.stamp postgres ## The tests that need minutes, apt packages or foreign projects
	$(BIN)/pytest -m "slow and not live" $(PYTEST_FLAGS)

.PHONY: test-evals
test-evals: $(VENV)/dev.stamp ## The tests of our applications and their evaluation, without any model
	$(BIN)/pytest -n auto -m "not slow and not live" tests/knowledge_team tests/evals $(PYTEST_FLAGS)

.PHONY: cov
cov: $(VENV)/dev.stamp ## The fast tests with branch coverage
	$(BIN)/coverage erase
	$(BIN)/coverage run -m pytest -m "not slow and not live" $(PYTEST_FLAGS)
	$(BIN)/coverage combine --quiet
	$(BIN)/coverage report

## The checks

.PHONY: format
format: $(VENV)/dev.stamp ## Format the code
	$(BIN)/ruff format $(PATHS)
	$(BIN)/ruff check --fix-only --quiet $(PATHS)

.PHONY: lint
lint: $(VENV)/dev.stamp ## Format, lint, and the contracts between the layers
	$(BIN)/ruff format --check $(PATHS)
	$(BIN)/ruff check $(PATHS)
	$(BIN)/lint-imports

.PHONY: types
types: $(VENV)/dev.stamp ## Pyright, strict
	$(BIN)/pyright

.PHONY: secrets
secrets: $(VENV)/main.stamp ## Look for secrets in recordings and reports
	$(AUDITION) doctor tests/recordings $(wildcard eval-reports)

.PHONY: check
check: lint types secrets cov ## Everything that must be green

# LangChain's evaluators, beside the environment and not in it.
$(VENV)/peers.stamp: tests/foreign/peers/requirements.txt $(VENV)/dev.stamp
	rm -rf $(VENV)/peers
	$(PIP) install --require-hashes --no-deps --target $(VENV)/peers -r $<
	@touch $@

# Inspect AI, whose versions are others than those of the environment.
$(VENV)/inspect.stamp: tests/foreign/peers/inspect.txt $(VENV)/dev.stamp
	rm -rf $(VENV)/inspect
	$(PIP) install --require-hashes --no-deps --target $(VENV)/inspect -r $<
	@touch $@

.PHONY: bench
bench: $(VENV)/dev.stamp $(VENV)/peers.stamp $(VENV)/inspect.stamp ## Measure, as ratios to a named peer in the same run
	$(BIN)/python -m benchmarks --peers $(VENV)/peers --inspect $(VENV)/inspect

## The files that are made

.PHONY: schema
schema: $(VENV)/main.stamp ## Write the schemas of dataset files and of results from the models
	$(AUDITION) schema --output datasets/schema.json
	$(AUDITION) schema --results --output docs/reference/results.schema.json

.PHONY: pins
pins: $(VENV)/dev.stamp ## Compile requirements/*.txt anew
	$(BIN)/uv pip compile pyproject.toml --group main --universal --python-version 3.12 \
		--generate-hashes --no-emit-index-url --no-emit-find-links --custom-compile-command "make pins" $(PIN_FLAGS) -o requirements/main.txt
	$(BIN)/uv pip compile pyproject.toml --group dev -c requirements/main.txt --universal --python-version 3.12 \
		--generate-hashes --no-emit-index-url --no-emit-find-links --custom-compile-command "make pins" $(PIN_FLAGS) -o requirements/dev.txt

.PHONY: clean
clean: ## Remove what was made, the environment too
	rm -rf $(VENV) .pytest_cache .ruff_cache .hypothesis .coverage* dist
