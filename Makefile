# The two commands of the README are `make lab` and `make test`; the rest is for developers.
PYTHON ?= python3
BIN := .venv/bin
EXTRAS := serve,postgres,lab,spark,datahub,page,dev
AS := $(if $(PATTERN),--pattern $(PATTERN))
WITHOUT_SERVICES := not (postgres or spark or browser or lab or slow or soak)

.PHONY: help setup lab test check lint fast page page-types ui services soak bench clean

help:  ## what each command does
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 12

setup:  ## the virtual environment, made or brought up to date
	@$(PYTHON) scripts/bootstrap.py $(EXTRAS)

# PySpark is installed while everything that needs no Spark comes up already.
lab: BEGAN := $(shell date +%s)
lab:  ## a real pipeline, PostgreSQL to Kafka to S3, Iceberg and Spark, with its lineage live
	@$(PYTHON) scripts/bootstrap.py serve,lab,page
	@$(PYTHON) scripts/bootstrap.py spark & installing=$$!; \
	 $(BIN)/mainstem lab fetch $(AS) & fetching=$$!; \
	 $(BIN)/python scripts/page.py --if-possible; wait $$fetching; \
	 $(BIN)/mainstem lab up --since $(BEGAN) --installer $$installing $(AS)

test: setup  ## all tests, the real-service ones too; what CI runs
	@$(MAKE) --no-print-directory check
	@$(MAKE) --no-print-directory ui
	@$(MAKE) --no-print-directory services
	@echo "All tests passed: the fast ones and those with real services."

check: setup lint fast  ## everything that needs no service, in at most three minutes

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports --no-cache
	$(BIN)/pyright

fast: setup
	$(BIN)/pytest -n 3 -q -m "$(WITHOUT_SERVICES)"

page: setup  ## the web page, built if its sources changed; brings Node along
	@$(BIN)/python scripts/page.py

page-types: setup  ## the page's API types, from the application's OpenAPI document
	@$(BIN)/python scripts/page_types.py

ui: page  ## checks of the web page, and its tests in a real browser
	$(BIN)/python scripts/page_types.py --check
	$(BIN)/python scripts/page.py run check
	$(BIN)/python scripts/page.py run e2e

services: setup
	$(BIN)/pytest -q -m "(postgres or spark or browser or lab or slow) and not soak" --durations=25

soak: setup  ## full counts and long outages; takes long
	$(BIN)/pytest -q -m soak

bench: setup  ## figures and ratios, printed; no test asserts a time
	@for bench in bench/*.py; do echo "== $$bench"; $(BIN)/python $$bench || exit 1; done

clean:  ## remove the virtual environment and caches of this checkout (downloads stay)
	rm -rf .venv .pytest_cache .ruff_cache .hypothesis
