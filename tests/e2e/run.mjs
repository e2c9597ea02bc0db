/**
 * Runs the browser tests: all files, or those that are named. Each worker is a process with a server and a browser; it
 * takes the next file when it has finished one. The longest files come first, so that the workers end together. Output
 * and exit code are those of `node --test`. demo.mjs lists the environment variables.
 *
 *   BINARY=target/debug/leadlane node tests/e2e/run.mjs [file ...]
 */
import { readdirSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { run } from "node:test";
import { spec, tap } from "node:test/reporters";
import { fileURLToPath } from "node:url";
import { keep } from "./demo.mjs";

const FOLDER = fileURLToPath(new URL(".", import.meta.url));
/** A test waits for its browser, its server and its own process in turn: one worker more than cores keeps all busy. */
const WORKERS = os.availableParallelism() + 1;
/** The files that take longest, by far; any other takes less than a minute. */
const LONGEST = ["walk-zh.test.mjs", "walk-en.test.mjs", "pages-zh.test.mjs", "pages-en.test.mjs"];

function all() {
  const names = readdirSync(FOLDER).filter((name) => name.endsWith(".test.mjs"));
  return [...LONGEST, ...names.filter((name) => !LONGEST.includes(name))].map((name) => path.join(FOLDER, name));
}

// Before the workers, each of which would make its own at the same time.
if (process.env["DEMO"]) await keep(process.env["DEMO"]);

const named = process.argv.slice(2).map((file) => path.resolve(file));
const tests = run({ files: named.length ? named : all(), concurrency: WORKERS });
tests.on("test:fail", () => (process.exitCode = 1));
tests.compose(process.stdout.isTTY ? new spec() : tap).pipe(process.stdout);
