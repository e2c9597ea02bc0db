/// <reference types="node" />
import assert from "node:assert/strict";
import { test } from "node:test";

import { branchIds, inSight, leafIds, matching, tickOf, type TreeNode, withTicks } from "./tree";

const leaf = (id: number, label: string): TreeNode => ({ id, label, children: null });
const list: TreeNode = { id: 2, label: "Channel list", children: [leaf(3, "List"), leaf(4, "Create")] };
const tree: TreeNode[] = [{ id: 1, label: "Channels", children: [list] }, leaf(5, "Link")];

test("a branch is ticked by its leaves", () => {
  const ticks = (ids: number[]) => [tree[0]!, list, list.children![0]!].map((node) => tickOf(node, new Set(ids)));
  assert.deepEqual(ticks([]), ["false", "false", "false"]);
  assert.deepEqual(ticks([4]), ["mixed", "mixed", "false"]);
  assert.deepEqual(ticks([3, 4]), ["true", "true", "true"]);
  // A branch's own id among the ticked ones has no effect.
  assert.deepEqual(ticks([1, 2]), ["false", "false", "false"]);
});

test("ticks are added and taken without touching the set they are made of", () => {
  const before = new Set([5]);
  assert.deepEqual([...withTicks(before, [3, 4], true)], [5, 3, 4]);
  assert.deepEqual([...withTicks(before, [5, 3], false)], []);
  assert.deepEqual([...before], [5]);
  assert.deepEqual(leafIds(tree), [3, 4, 5]);
});

test("a text keeps what matches and the way to it", () => {
  assert.deepEqual(leafIds(matching(tree, "create")), [4]);
  assert.deepEqual(leafIds(matching(tree, " CHANNELS ")), [3, 4]);
  assert.deepEqual(matching(tree, "nothing"), []);
  assert.deepEqual(matching(tree, "  "), tree);
});

test("what is in sight is what is open, in order", () => {
  const seen = (open: number[]) => inSight(tree, (id) => open.includes(id)).map(({ node, parent }) => `${parent}:${node.id}`);
  assert.deepEqual(seen([]), ["null:1", "null:5"]);
  assert.deepEqual(seen([2]), ["null:1", "null:5"]);
  assert.deepEqual(seen([1, 2]), ["null:1", "1:2", "2:3", "2:4", "null:5"]);
  assert.deepEqual(branchIds(tree), [1, 2]);
});
