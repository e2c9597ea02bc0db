/**
 * How much of a record's caps is used: a line for each cap in force, the fullest first, with a bar that shows how
 * full it is. A list's cell shows only the first.
 */
import type { CapUsage } from "../lib/api-types";
import { count, money } from "../lib/format";
import { useT } from "../lib/i18n";

export function Usage({ usage }: { usage: readonly CapUsage[] }) {
  const t = useT();
  const lines = usage.map(({ cap, usedCount, usedCents }) => {
    const parts = [
      ...(cap.maxCount === null ? [] : [{ used: usedCount, most: cap.maxCount, text: `${count(usedCount)} / ${count(cap.maxCount)}` }]),
      ...(cap.maxCents === null ? [] : [{ used: usedCents, most: cap.maxCents, text: `${money(usedCents)} / ${money(cap.maxCents)}` }]),
    ];
    return { cap, parts, fullest: Math.max(...parts.map(({ used, most }) => used / most)) };
  });
  return (
    <ul className="ll-usage">
      {lines
        .sort((a, b) => b.fullest - a.fullest)
        .map(({ cap, parts, fullest }) => (
          <li key={`${cap.window}-${cap.weekday ?? ""}`} data-full={fullest >= 1 ? "full" : fullest >= 0.8 ? "nearly" : undefined}>
            <span className="ll-usage-window">{t(`terms.window.${cap.window}`)}</span>
            {parts.map(({ text }) => text).join(t("ui.comma"))}
            <meter className="ll-usage-bar" value={Math.round(Math.min(fullest, 1) * 100) / 100} aria-label={t("terms.used")} />
          </li>
        ))}
    </ul>
  );
}
