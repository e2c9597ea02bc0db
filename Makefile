# Everything one does with this project. `make` alone lists it.

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help run build test test-rust test-js test-quickjs test-types e2e lint audit format types bench bench-edges bench-lists stress stress-short

TARGET := $(or $(CARGO_TARGET_DIR),target)
PACKAGES := js/node_modules/.package-lock.json

# Sets ENGINE and ENGINE_FLAGS for the commands after it (see .ci/engine), and makes them stop at
# the first that fails.
PICK = set -e; engine=$$(.ci/engine); eval "$$engine"; .ci/setup build $$ENGINE;

help: ## list these targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: ## build, make a demo database if there is none, serve, print address and accounts
	@.ci/setup build
	@$(PICK) cargo build --release $$ENGINE_FLAGS; \
	if [ -z "$$LEADLANE_DATABASE_URL" ] && [ ! -e "$${LEADLANE_DATA:-data}/leadlane.db" ]; then \
		$(TARGET)/release/leadlane demo; \
	fi; \
	exec $(TARGET)/release/leadlane serve

build: ## the release binary
	@.ci/setup build
	@$(PICK) cargo build --release $$ENGINE_FLAGS

test: lint test-js test-quickjs e2e test-types test-rust stress-short ## all checks: what CI runs

test-rust: ## Rust tests, on SQLite and PostgreSQL
	@.ci/setup build test
	@$(PICK) .ci/postgres cargo test $$ENGINE_FLAGS

test-quickjs: ## the engine's tests on QuickJS
	@.ci/setup build quickjs
	@set -e; engine=$$(.ci/engine quickjs); eval "$$engine"; \
	tests="cargo test $$ENGINE_FLAGS --test render -- --test-threads 1"; \
	$$tests || { echo "once more: the engine itself crashes rarely when isolates begin and end" >&2; $$tests; }

test-types: types ## the generated TypeScript types are the committed ones
	git diff --exit-code --stat -- js/lib/api-types.ts

test-js: $(PACKAGES) ## unit tests of the front end
	@node js/test.mjs

e2e: $(PACKAGES) ## browser tests, in Chromium
	@.ci/setup build test
	@$(PICK) cargo test --no-run $$ENGINE_FLAGS; \
	DEMO=$$(mktemp -d); export DEMO; trap 'rm -rf "$$DEMO"' EXIT; \
	BINARY=$(abspath $(TARGET))/debug/leadlane node tests/e2e/run.mjs

lint: $(PACKAGES) ## formats, lints and types, warnings denied
	@.ci/setup build
	cargo fmt --check
	@$(PICK) set -x; cargo clippy --quiet --all-targets $$ENGINE_FLAGS -- --deny warnings
	cd js && node_modules/.bin/tsc
	cd js && node_modules/.bin/oxlint --quiet --deny-warnings --report-unused-disable-directives

audit: ## known faults, licences and sources of the dependencies
	@.ci/audit

format: ## format the Rust sources
	cargo fmt

types: ## write the TypeScript types of what crosses the wire
	@$(PICK) TS_RS_EXPORT_DIR='$(CURDIR)/js/lib' cargo test --quiet $$ENGINE_FLAGS --lib export_bindings

bench: ## measure this machine: pages a second, CPU, memory, bytes
	@.ci/setup build
	@$(PICK) cargo build --release $$ENGINE_FLAGS; \
	LEADLANE_BINARY=$(abspath $(TARGET))/release/leadlane node benches/pages.mjs; \
	LEADLANE_BINARY=$(abspath $(TARGET))/release/leadlane .ci/postgres node benches/visits.mjs; \
	LEADLANE_BINARY=$(abspath $(TARGET))/release/leadlane .ci/postgres node benches/leads.mjs

bench-edges: ## measure what hanging buyers, full plans, floods and a frozen node cost everybody else
	@.ci/setup build test
	@$(PICK) cargo build --release $$ENGINE_FLAGS; \
	LEADLANE_BINARY=$(abspath $(TARGET))/release/leadlane .ci/postgres node benches/edges.mjs

bench-lists: ## measure lists of millions of applicants and pushes on PostgreSQL
	@.ci/setup build test
	@$(PICK) cargo build --release $$ENGINE_FLAGS; \
	LEADLANE_BINARY=$(abspath $(TARGET))/release/leadlane .ci/postgres node benches/lists.mjs

stress: ## offer leads from 64 sides while processes are killed, then count what was sold
	@.ci/setup build test
	@$(PICK) cargo build --release $$ENGINE_FLAGS; \
	LEADLANE_BINARY=$(abspath $(TARGET))/release/leadlane .ci/postgres node benches/stress.mjs

stress-short: ## the same for 20 seconds an engine, as it is tested
	@.ci/setup build test
	@$(PICK) cargo build $$ENGINE_FLAGS; \
	STRESS_SECONDS=20 STRESS_CLIENTS=16 LEADLANE_BINARY=$(abspath $(TARGET))/debug/leadlane .ci/postgres node benches/stress.mjs

$(PACKAGES): js/package-lock.json
	@.ci/setup build
	cd js && npm ci --include=dev --loglevel=error
	@touch $@
