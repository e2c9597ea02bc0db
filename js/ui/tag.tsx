/** Coloured labels for states and kinds. */
import type { ReactNode } from "react";

import { EMPTY } from "../lib/format";
import { useT } from "../lib/i18n";
import { labelOf } from "./field";
import type { TagColor, TagColors } from "./tag-colors";

export type { TagColor, TagColors } from "./tag-colors";

/** A small coloured label. */
export function Tag({ color = "gray", children }: { color?: TagColor; children: ReactNode }) {
  return <span className={`ll-tag ll-tag-${color}`}>{children}</span>;
}

/** An item of a dictionary in its colour: plain text without one, as of an item that is no longer there. */
export function itemTag(label: string | null, color: TagColor | null): ReactNode {
  if (label === null) return EMPTY;
  return color === null ? label : <Tag color={color}>{label}</Tag>;
}

/**
 * The label of one code of an enumeration, as a tag. Fields of the kind `enum` show the same.
 * @example <EnumTag labels="ChannelStatus" value={row.status} colors={channelStatusColors} />
 */
export function EnumTag({ labels, value, colors }: { labels: string; value: string; colors?: TagColors }) {
  return <Tag color={colors?.[value]}>{labelOf(useT(), labels, value)}</Tag>;
}
