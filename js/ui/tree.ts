/**
 * The logic of trees with boxes, without their look. Only leaves are stored as ticked; a branch is ticked
 * when all leaves below it are, and half ticked when some are.
 */

/** A node of such a tree. */
export interface TreeNode {
  id: number;
  label: string;
  /** Null for a leaf. */
  children: readonly TreeNode[] | null;
}

export type Tick = "true" | "false" | "mixed";

/** The leaves below a node, or the node itself; in the tree's order. */
export function leavesOf(node: TreeNode): TreeNode[] {
  return node.children ? node.children.flatMap(leavesOf) : [node];
}

/** The ids of all leaves, in the tree's order. */
export function leafIds(nodes: readonly TreeNode[]): number[] {
  return nodes.flatMap(leavesOf).map(({ id }) => id);
}

/** Whether a node is ticked. */
export function tickOf(node: TreeNode, ticked: ReadonlySet<number>): Tick {
  const leaves = leavesOf(node);
  const count = leaves.filter(({ id }) => ticked.has(id)).length;
  return count === 0 ? "false" : count === leaves.length ? "true" : "mixed";
}

/** The set with these leaves ticked or unticked. */
export function withTicks(ticked: ReadonlySet<number>, ids: readonly number[], on: boolean): Set<number> {
  const next = new Set(ticked);
  for (const id of ids) {
    if (on) next.add(id);
    else next.delete(id);
  }
  return next;
}

/** The nodes that match a text, with the branches above them; a branch that matches keeps everything below it. */
export function matching(nodes: readonly TreeNode[], text: string): TreeNode[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === "") return [...nodes];
  return nodes.flatMap((node) => {
    if (node.label.toLowerCase().includes(wanted)) return [node];
    const children = node.children ? matching(node.children, text) : [];
    return children.length > 0 ? [{ ...node, children }] : [];
  });
}

/** The visible nodes, from top to bottom, each with its parent. */
export function inSight(
  nodes: readonly TreeNode[],
  isOpen: (id: number) => boolean,
  parent: number | null = null,
): { node: TreeNode; parent: number | null }[] {
  return nodes.flatMap((node) => [{ node, parent }, ...(node.children && isOpen(node.id) ? inSight(node.children, isOpen, node.id) : [])]);
}

/** The ids of all branches. */
export function branchIds(nodes: readonly TreeNode[]): number[] {
  return nodes.flatMap(({ id, children }) => (children ? [id, ...branchIds(children)] : []));
}
