// What `make types` runs: writes js/lib/api-types.ts, js/lib/codes.ts, js/lib/limits.ts and js/locales/*/codes.ts.
//
// Each crate's tests write the types of that crate and of what they consist of, to a folder of its own; here they
// become one file. A file that stays the same is not written: the front end would be built again.
//
// ENGINE_FLAGS are cargo's, see .ci/engine.

import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const js = join(dirname(fileURLToPath(import.meta.url)), "../js");
const TYPES = "lib/api-types.ts";

/**
 * The programs with the tests of the crates. `--lib` builds one for a crate without tests too, and that of a macro
 * does not start outside cargo: it needs the compiler's libraries.
 */
function programs() {
  const flags = (process.env["ENGINE_FLAGS"] ?? "").split(/\s+/).filter(Boolean);
  const args = ["test", "--lib", "--no-run", "--quiet", "--message-format", "json-render-diagnostics", ...flags];
  const { status, stdout } = spawnSync("cargo", args, { encoding: "utf8", maxBuffer: 1 << 30, stdio: ["ignore", "pipe", "inherit"] });
  if (status !== 0) throw new Error("the tests do not compile");
  const messages = stdout.split("\n").filter(Boolean).map((line) => JSON.parse(line));
  return messages.flatMap(({ executable, target }) => (executable && target.test ? [executable] : []));
}

/** Writes what one crate exports to a folder. */
function write(program, folder) {
  const env = { ...process.env, TS_RS_EXPORT_DIR: join(folder, "lib"), TS_RS_LARGE_INT: "number" };
  const { status, stdout, stderr } = spawnSync(program, ["--quiet", "export_bindings"], { env, encoding: "utf8" });
  if (status !== 0) throw new Error(`${program} failed:\n${stdout}${stderr}`);
}

const types = new Map();
let head = "";
const folder = mkdtempSync(join(tmpdir(), "types-"));
try {
  const crates = programs().map((program, i) => ({ program, own: join(folder, String(i)) }));
  for (const { program, own } of crates) {
    write(program, own);
    // A crate without types has no file.
    if (!existsSync(own)) continue;
    if (existsSync(join(own, TYPES))) {
      const [first, ...declarations] = readFileSync(join(own, TYPES), "utf8").trimEnd().split("\n\n");
      head = first;
      for (const text of declarations) types.set(/^export type (\w+)/m.exec(text)[1], text);
      rmSync(join(own, TYPES));
    }
    cpSync(own, join(folder, "all"), { recursive: true });
  }
  const names = [...types.keys()].sort();
  mkdirSync(join(folder, "all/lib"), { recursive: true });
  writeFileSync(join(folder, "all", TYPES), [head, ...names.map((name) => types.get(name))].join("\n\n") + "\n");
  for (const file of readdirSync(join(folder, "all"), { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"))) {
    const text = readFileSync(join(folder, "all", file), "utf8");
    if (readFileSync(join(js, file), "utf8") !== text) writeFileSync(join(js, file), text);
  }
} finally {
  rmSync(folder, { recursive: true });
}
