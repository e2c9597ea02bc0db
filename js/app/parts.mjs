// The modules that pages of a kind load in one file.
//
// esbuild makes a file for every set of pages that share a module: twenty files of a few hundred bytes for a list, each of
// which costs a browser a request. Here the modules of the blocks that make a kind of page become one file, and modules
// that most pages need are in the file of the frame. An area's own modules are never among them.

import { BuildError, FRAME } from "./page-table.mjs";

/** Modules that three pages of four load. */
const OF_FRAME = ["ui/list-state.tsx", "ui/actions.tsx", "ui/field.tsx", "lib/permissions.tsx"];

/** The blocks of each kind of page; what they import is in its file too, unless it is in one above. */
const BLOCKS = {
  list: ["ui/list-page.tsx"],
  detail: ["ui/detail-page.tsx", "ui/description.tsx", "ui/timeline.tsx", "ui/changes.tsx", "ui/record-tabs.tsx"],
};

/**
 * Small modules without state that many pages need some of. Each file that imports one has a copy of what it uses, which is
 * less than the request of a file of their own.
 */
export const COPIED = [
  "lib/choices.ts",
  "lib/codes.ts",
  "lib/day-text.ts",
  "lib/decision.ts",
  "lib/hydrated.ts",
  "lib/moment.ts",
  "ui/page-tabs.tsx",
  "ui/stars.ts",
  "ui/tag.tsx",
  "ui/test-tag.tsx",
  "ui/usage.tsx",
  "ui/waits-for.tsx",
];

/** The kinds that have a part. */
export const PART_KINDS = Object.keys(BLOCKS);

/**
 * What is in each part, and which lazy modules load it.
 *
 * `imports` has the imports of each module (texts.mjs); `reach` returns the modules that some of them load at once. The
 * result: `frame`, the modules for the frame; `modules`, those of each kind; and `kinds`, for each lazy module the kinds
 * that it needs something of. A `partial` build may lack some.
 */
export function partsOf(imports, reach, partial) {
  const known = (paths) => {
    const found = paths.filter((path) => imports.has(path));
    if (found.length < paths.length && !partial) throw new BuildError(`parts.mjs names a module that no page loads: ${paths.join(", ")}`);
    return found;
  };
  const frame = known(OF_FRAME);
  const before = [...reach([FRAME, ...frame], [])];
  const modules = new Map();
  for (const [kind, blocks] of Object.entries(BLOCKS)) {
    const above = [...modules.values()].flat();
    modules.set(
      kind,
      [...reach(known(blocks), [...before, ...above])].filter((module) => !COPIED.includes(module)),
    );
  }
  const lazy = new Set(
    [...imports.values()]
      .flat()
      .filter(({ later }) => later)
      .map(({ path }) => path),
  );
  const kindsOf = (path) => {
    const loaded = reach([path], before);
    return [...modules].filter(([, own]) => own.some((module) => loaded.has(module))).map(([kind]) => kind);
  };
  return { frame, modules, kinds: new Map([...lazy].map((path) => [path, kindsOf(path)])) };
}
