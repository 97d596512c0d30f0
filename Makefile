# The front door: `make help` lists what there is.
.DEFAULT_GOAL := help
SHELL := /bin/bash
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
CHROMIUM := $(shell command -v chromium || command -v chromium-browser)
REDIS := $(shell command -v redis-server)
POSTGRES := $(shell command -v initdb || ls -d /usr/lib/postgresql/*/bin/initdb 2>/dev/null)
SYSTEMD := $(shell command -v systemd-analyze)
MISSING := $(if $(CHROMIUM),,chromium) $(if $(REDIS),,redis-server) $(if $(POSTGRES),,postgresql) $(if $(SYSTEMD),,systemd)

# what asks the database in words of its own, or counts on how it locks; formats and drawings do not
ON_POSTGRES := tests/accounts tests/review tests/browser/test_journeys.py $(filter-out \
    %/test_bench.py %/test_demo.py %/test_rules.py %_rules.py %/test_serve.py %/test_workers.py %/test_grown_up.py, \
    $(wildcard tests/facts/test_*.py tests/jobs/test_*.py))

help: ## this list
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

$(VENV)/installed: requirements.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "cruxweb needs Python 3.11 or newer; say which with PYTHON=python3.11 make ..."; exit 1; }
	@$(PYTHON) -m venv $(VENV) || { echo "Python cannot make a virtual environment here; on Debian: apt install python3-venv"; exit 1; }
	@$(BIN)/pip install --quiet --disable-pip-version-check --requirement requirements.txt
	@touch $@

$(VENV)/installed-dev: $(VENV)/installed requirements-dev.txt
	@$(BIN)/pip install --quiet --disable-pip-version-check --requirement requirements-dev.txt
	@touch $@

install: $(VENV)/installed-dev ## set up .venv with everything

run: $(VENV)/installed ## start the console on 127.0.0.1, with a demo store where the data folder is empty
	@$(BIN)/python manage.py prepare
	@exec $(BIN)/python manage.py serve

worker: $(VENV)/installed ## the two workers alone
	@exec $(BIN)/python manage.py serve --workers-only

demo-reset: $(VENV)/installed ## make the demo store anew (only in a demo folder)
	@$(BIN)/python manage.py prepare --reset-demo

services: # what make test needs from Debian
ifneq ($(strip $(MISSING)),)
	@tools/install-debian $(MISSING)
endif

test: $(VENV)/installed-dev services ## all tests but the long ones, and on PostgreSQL those of what asks the database
	@$(BIN)/pytest -n auto -m "not shared"
	@TESTS_ON=postgresql $(BIN)/pytest -n auto $(ON_POSTGRES)

test-shared: $(VENV)/installed-dev ## tests over real files beside the clone
	@$(BIN)/pytest -n auto -m shared tests/shared

lint: $(VENV)/installed-dev ## ruff, and djade for templates
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@git ls-files -z 'templates/*.html' | xargs -0 $(BIN)/djade --target-version 5.2 --check

format: $(VENV)/installed-dev ## put the code in its usual form
	@$(BIN)/ruff check --fix-only .
	@$(BIN)/ruff format .
	@git ls-files -z 'templates/*.html' | xargs -0 $(BIN)/djade --target-version 5.2

types: $(VENV)/installed-dev ## mypy, strict
	@$(BIN)/mypy .

arrows: $(VENV)/installed-dev ## imports run one way
	@$(BIN)/lint-imports --no-cache

check: lint types arrows test ## what CI runs

faults: $(VENV)/installed-dev ## the long fault run, and new examples for every property
	@EVERY_FAULT=1 $(BIN)/pytest -s tests/cruxstore/test_faults.py tests/cruxstore/test_disk_faults.py tests/cruxstore/test_writers.py tests/cruxstore/test_tampering.py tests/cruxstore/test_bundles.py
	@$(BIN)/pytest --hypothesis-profile=default tests/cruxstore/facts tests/facts/test_projector.py tests/facts/test_two_clocks.py tests/facts/test_sequences.py

bench: $(VENV)/installed-dev ## the whole bench, at 1,000,000 facts
	@$(BIN)/python manage.py bench --json

lock: $(VENV)/installed-dev ## resolve pyproject.toml anew
	@$(BIN)/pip-compile --quiet --strip-extras --no-emit-index-url --no-emit-find-links --output-file requirements.txt pyproject.toml
	@$(BIN)/pip-compile --quiet --strip-extras --no-emit-index-url --no-emit-find-links --extra dev --constraint requirements.txt --output-file requirements-dev.txt pyproject.toml

.PHONY: help install run worker demo-reset services test test-shared lint format types arrows check faults bench lock
