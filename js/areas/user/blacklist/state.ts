/** Where an entry refuses applicants, until when, and how often it did, in a few sentences. */
import type { BlacklistNow } from "../../../lib/api-types";
import { time } from "../../../lib/format";
import type { Translate } from "../../../lib/i18n";

export function stateOf(entry: BlacklistNow, t: Translate): string {
  const { kind, scope, scopeName, expiresAt, expired, liftReason, hitCount, lastHitAt } = entry;
  const status = t(`BlacklistStatus.${entry.status}`);
  const at = time(expiresAt);
  const standing = (): string[] => {
    if (entry.status === "lifted") return [t("blacklist.why.lifted", { status, reason: liftReason ?? "" })];
    if (expired) return [t("blacklist.why.expired", { status, at })];
    return [
      t(`blacklist.why.${scope}`, { status, name: scopeName ?? "", kind: t(`BlacklistKind.${kind}`) }),
      expiresAt === null ? t("blacklist.why.forever") : t("blacklist.why.until", { at }),
    ];
  };
  const hits = hitCount === 0 ? t("blacklist.why.noHits") : t("blacklist.why.hits", { count: hitCount, at: time(lastHitAt) });
  return [...standing(), hits].join(" ");
}
