/** Whether a conversation is near or past the target of its group. */
import { useEffect, useState } from "react";

import type { ConversationRow } from "../../../lib/api-types";
import { minute } from "../../../lib/format";
import { useT } from "../../../lib/i18n";
import { age } from "../../../ui/age";
import { Tag } from "../../../ui/tag";

/** How often times are drawn again. */
const CLOCK_MS = 30_000;

/** The server's clock, from the time of its answer on. */
export function useNow(at: number): number {
  const [now, setNow] = useState(at);
  useEffect(() => {
    const began = Date.now();
    setNow(at);
    const timer = setInterval(() => setNow(at + Date.now() - began), CLOCK_MS);
    return () => clearInterval(timer);
  }, [at]);
  return now;
}

/** A mark on a conversation that is late, or soon will be. */
export function Target({ row: { dueAt, dueSoonAt }, now }: { row: ConversationRow; now: number }) {
  const t = useT();
  if (dueAt === null || now < (dueSoonAt ?? dueAt)) return null;
  const isLate = now > dueAt;
  return (
    <Tag color={isLate ? "red" : "orange"}>
      <span title={minute(dueAt)}>{isLate ? t("chat.overdue", { age: age(t, now - dueAt) }) : t("chat.dueSoon")}</span>
    </Tag>
  );
}
