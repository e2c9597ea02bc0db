// Watches the files of a folder and of the folders in it.

import { readdirSync, watch } from "node:fs";
import { join, relative, sep } from "node:path";

/**
 * Calls `changed(path)` for every change below `root`; paths are relative to `root`, with slashes, and
 * those for which `skip(path)` is true are left out. Watches folders, not files: editors
 * replace files, and a watch on a replaced file gets no more events.
 */
export function watchTree(root, skip, changed) {
  const watched = new Set();
  const add = (folder) => {
    if (watched.has(folder)) return;
    watched.add(folder);
    const watcher = watch(folder, (_, name) => {
      if (name === null) return;
      const path = join(folder, name);
      const shown = relative(root, path).split(sep).join("/");
      if (skip(shown)) return;
      addIfFolder(path);
      changed(shown);
    });
    watcher.on("error", () => {
      watcher.close();
      watched.delete(folder);
    });
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.isDirectory() && !skip(relative(root, path).split(sep).join("/"))) add(path);
    }
  };
  const addIfFolder = (path) => {
    try {
      readdirSync(path);
    } catch {
      watched.delete(path);
      return;
    }
    add(path);
  };
  add(root);
}
