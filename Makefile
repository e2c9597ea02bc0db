# Everything one does with this project. `make` alone lists it.

.DEFAULT_GOAL := help
ifndef BESIDE
.NOTPARALLEL:
endif
.PHONY: help run dev build dist check test test-rust test-unit test-process test-js test-quickjs test-types e2e lint audit format types bench bench-compare bench-edges bench-lists stress stress-short histories

TARGET := $(or $(CARGO_TARGET_DIR),target)
PACKAGES := js/node_modules/.package-lock.json

# Sets ENGINE and ENGINE_FLAGS for the commands after it (see .ci/engine), and makes them stop at
# the first that fails.
PICK = set -e; engine=$$(.ci/engine); eval "$$engine"; .ci/setup build $$ENGINE;

# Tests of calls: the targets of tests/http/, each a folder. Only those of pages link the JavaScript engine.
HTTP := $(patsubst tests/http/%/main.rs,--test %,$(wildcard tests/http/*/main.rs))

# The program alone: with `testing`, which tests share, it would have code that writes types for the browser.
BUILD = cargo build --package leadlane --bin leadlane
DIST = $(BUILD) --profile dist --config .ci/dist.toml

help: ## list these targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: ## build, make a demo database if there is none, serve, print address and accounts
	@.ci/setup build
	@$(PICK) $(BUILD) --release $$ENGINE_FLAGS; \
	if [ -z "$$LEADLANE_DATABASE_URL" ] && [ ! -e "$${LEADLANE_DATA:-data}/leadlane.db" ]; then \
		$(TARGET)/release/leadlane demo; \
	fi; \
	exec $(TARGET)/release/leadlane serve

dev: $(PACKAGES) ## serve a debug build that takes up every saved change: pages at once, the program within seconds
	@.ci/setup build
	@$(PICK) exec node .ci/dev.mjs

build: ## the binary of make run: target/release/leadlane
	@.ci/setup build
	@$(PICK) $(BUILD) --release $$ENGINE_FLAGS

dist: ## the binary of a package, optimised as a whole, and its compiled pages: target/dist/leadlane, target/dist/pages.code
	@.ci/setup build
	@$(PICK) $(DIST) $$ENGINE_FLAGS; \
	[ "$$ENGINE" != v8 ] || node .ci/pages-code.mjs $(TARGET)/dist/leadlane

# Without T, all tests but the long ones: HTTP tests on SQLite only. With T=word, the tests of every kind whose
# name or file contains the word, on both engines.
ifndef T
check: $(PACKAGES) ## before a commit: formats, lints, types, unit tests, HTTP tests on SQLite; T=word: only tests of that name
	@$(MAKE) --no-print-directory lint test-js
	@$(PICK) cargo test --quiet --no-fail-fast $$ENGINE_FLAGS --lib --test architecture $(HTTP) -- --skip ::postgres
else
check: $(PACKAGES)
	@.ci/setup build test
	@node js/test.mjs $(T)
	@$(PICK) .ci/postgres --in-memory cargo test --quiet --no-fail-fast $$ENGINE_FLAGS --lib $(HTTP) --test process --test isolates -- $(T)
	@tests=$$(ls tests/e2e/*.test.mjs | grep -- $(T)) || exit 0; \
	BINARY=$(abspath $(TARGET))/debug/leadlane node tests/e2e/run.mjs $$tests
endif

# The stress waits while clippy computes. Tests of processes measure time, so they run last and beside nothing.
test: $(PACKAGES) ## all checks: what CI runs
	@.ci/steps lint+stress-short test-js test-types e2e test-unit+test-quickjs test-process

test-rust: test-unit test-process ## Rust tests, on SQLite and PostgreSQL

# Each file of tests/ is named here or in test-process, and that of crates/render/tests/ here; the folders of tests/http/
# are found. Tests of calls wait for PostgreSQL half of the time.
test-unit: ## the Rust tests within one process: rules, isolates, calls
	@.ci/setup build test
	@$(PICK) cargo test --no-run $$ENGINE_FLAGS; \
	cargo test $$ENGINE_FLAGS --lib --bins --test architecture --test isolates; \
	.ci/postgres --in-memory cargo test --no-fail-fast $$ENGINE_FLAGS $(HTTP) -- --test-threads 4

# Processes wait for one another most of the time. Tests of connections measure how long the program waits.
test-process: ## the Rust tests that start the program
	@.ci/setup build test
	@$(PICK) .ci/postgres --in-memory cargo test $$ENGINE_FLAGS --test process -- --test-threads 8 --skip connections::; \
	cargo test $$ENGINE_FLAGS --test process -- --test-threads 3 connections::

test-quickjs: ## the engine's tests on QuickJS
	@.ci/setup build quickjs
	@set -e; engine=$$(.ci/engine quickjs); eval "$$engine"; \
	tests="cargo test $$ENGINE_FLAGS --package render -- --test-threads 1"; \
	$$tests || { echo "once more: the engine itself crashes rarely when isolates begin and end" >&2; $$tests; }

test-types: types ## the generated TypeScript is the committed one
	git diff --exit-code --stat -- js/lib/api-types.ts js/lib/codes.ts js/lib/limits.ts 'js/locales/*/codes.ts'

test-js: $(PACKAGES) ## unit tests of the front end
	@node js/test.mjs

e2e: $(PACKAGES) ## browser tests, in Chromium
	@.ci/setup build test
	@$(PICK) cargo test --no-run $$ENGINE_FLAGS; \
	DEMO=$$(mktemp -d); export DEMO; trap 'rm -rf "$$DEMO"' EXIT; \
	BINARY=$(abspath $(TARGET))/debug/leadlane node tests/e2e/run.mjs

lint: $(PACKAGES) ## formats, lints and types, warnings denied
	@.ci/setup build
	cargo fmt --all --check
	@$(PICK) set -x; cargo clippy --quiet --all-targets $$ENGINE_FLAGS -- --deny warnings
	cd js && node_modules/.bin/tsc
	cd js && node_modules/.bin/oxfmt --check .
	cd js && node_modules/.bin/oxlint --quiet --deny-warnings --report-unused-disable-directives

audit: ## known faults, licences and sources of the dependencies
	@.ci/audit

format: $(PACKAGES) ## format the sources
	cargo fmt --all
	cd js && node_modules/.bin/oxfmt .

types: ## write the TypeScript types, codes and labels of what crosses the wire
	@$(PICK) node .ci/types.mjs

bench: ## measure this machine: pages a second, CPU, memory, bytes
	@.ci/setup build
	@$(PICK) $(DIST) $$ENGINE_FLAGS; \
	export LEADLANE_BINARY=$(abspath $(TARGET))/dist/leadlane; met=yes; \
	node benches/pages.mjs || met=no; \
	.ci/postgres node benches/bare.mjs || met=no; \
	.ci/postgres node benches/visits.mjs || met=no; \
	.ci/postgres node benches/leads.mjs || met=no; \
	[ $$met = yes ]

# The older program is built in a worktree of its commit, with a target folder of its own: in a shared one, cargo would take
# its crates for those of this tree.
bench-compare: ## measure pages of this program and of the commit BEFORE=… in turns
	@.ci/setup build
	@git rev-parse --verify --quiet "$(BEFORE)^{commit}" >/dev/null || { echo "make bench-compare BEFORE=commit" >&2; exit 1; }
	@$(PICK) $(DIST) $$ENGINE_FLAGS; \
	work=$$(mktemp -d); trap 'git worktree remove --force "$$work/tree" 2>/dev/null || :; rm -rf "$$work"; git worktree prune' EXIT; \
	trap 'exit 130' INT; trap 'exit 143' TERM; \
	git worktree add --quiet --detach "$$work/tree" $(BEFORE); \
	(cd "$$work/tree" && CARGO_TARGET_DIR=$(abspath $(TARGET))/before $(BUILD) --profile dist $$ENGINE_FLAGS); \
	LEADLANE_BINARY=$(abspath $(TARGET))/dist/leadlane BENCH_BEFORE=$(abspath $(TARGET))/before/dist/leadlane \
		.ci/postgres node benches/compare.mjs

bench-edges: ## measure what hanging buyers, full plans, floods and a frozen node cost all others
	@.ci/setup build test
	@$(PICK) $(DIST) $$ENGINE_FLAGS; \
	LEADLANE_BINARY=$(abspath $(TARGET))/dist/leadlane .ci/postgres node benches/edges.mjs

bench-lists: ## measure lists of millions of applicants, pushes, clues, figures and chat messages, and the check of a million ledger entries
	@.ci/setup build test
	@$(PICK) $(DIST) $$ENGINE_FLAGS; \
	export LEADLANE_BINARY=$(abspath $(TARGET))/dist/leadlane; met=yes; \
	.ci/postgres node benches/lists.mjs || met=no; \
	.ci/postgres node benches/clues.mjs || met=no; \
	.ci/postgres node benches/stats.mjs || met=no; \
	BENCH_ENGINE=sqlite node benches/stats.mjs || met=no; \
	.ci/postgres node benches/chat-lists.mjs || met=no; \
	BENCH_ENGINE=sqlite node benches/chat-lists.mjs || met=no; \
	.ci/postgres node benches/ledger.mjs || met=no; \
	[ $$met = yes ]

stress: ## offer leads from 64 sides while processes are killed, move money from 32, let 200 people claim the same clues, let 100 staff chat, then count
	@.ci/setup build test
	@$(PICK) $(DIST) $$ENGINE_FLAGS; \
	LEADLANE_BINARY=$(abspath $(TARGET))/dist/leadlane .ci/postgres sh -c 'node benches/stress.mjs && node benches/money.mjs && node benches/claims.mjs && node benches/chat.mjs'
	@$(PICK) LEADLANE_HISTORIES=20000 .ci/postgres --in-memory cargo test --test leads $$ENGINE_FLAGS -- random_histories

stress-short: ## the same for 20 seconds an engine, money for 6, chat for 15, as it is tested
	@.ci/setup build test
	@$(PICK) cargo test --no-run --test process $$ENGINE_FLAGS; \
	STRESS_SECONDS=20 STRESS_CLIENTS=16 MONEY_SECONDS=6 MONEY_CLIENTS=16 CLAIMS_PEOPLE=40 CLAIMS_SECONDS=25 \
		CHAT_STAFF=20 CHAT_RATE=10 CHAT_SECONDS=15 CHAT_P95=3000 LEADLANE_BINARY=$(abspath $(TARGET))/debug/leadlane \
		.ci/postgres --in-memory sh -c 'node benches/stress.mjs && node benches/money.mjs && node benches/claims.mjs && node benches/chat.mjs'

histories: ## play 20,000 random histories of all that moves money on each engine, with new seeds; BOOKS_HISTORIES=count BOOKS_SEED=first
	@.ci/setup build test
	@$(PICK) BOOKS_HISTORIES=$${BOOKS_HISTORIES:-20000} .ci/postgres --in-memory cargo test --test money $$ENGINE_FLAGS -- books::

$(PACKAGES): js/package-lock.json
	@.ci/setup build
	cd js && npm ci --include=dev --loglevel=error
	@touch $@
