/** A preview of what the nightly job would remove under a retention setting. */
import { useState } from "react";

import type { RetentionPreview } from "../../../lib/api-types";
import { ApiError, api } from "../../../lib/api";
import { time } from "../../../lib/format";
import { useT } from "../../../lib/i18n";
import { Button } from "../../../ui/button";

const kinds: Readonly<Record<string, "applicants" | "consents">> = { "applicant.keep_days": "applicants", "consent.keep_days": "consents" };

/** Whether a setting has a preview. */
export const hasPreview = (key: string) => kinds[key] !== undefined;

/** A button that counts what would be removed tonight with the typed value. */
export function PreviewRetention({ name, days }: { name: string; days: string }) {
  const t = useT();
  const [counted, setCounted] = useState<{ days: string; text: string } | null>(null);
  const [busy, setBusy] = useState(false);
  const count = async () => {
    const kept = kinds[name];
    if (kept === undefined) return;
    setBusy(true);
    try {
      const preview = await api.get<RetentionPreview>("/setting/retention", { kept, days });
      const { count: number, isMore, oldestAt } = preview;
      const words = number === 0 ? "setting.removesNone" : isMore ? "setting.removesMore" : "setting.removes";
      setCounted({ days, text: t(words, { count: number, oldest: oldestAt === null ? "" : time(oldestAt) }) });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setCounted({ days, text: Object.values(error.fields)[0] ?? error.desc });
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <Button small busy={busy} onClick={() => void count()}>
        {t("setting.previewRemoval")}
      </Button>
      {/* Shown only while the input has the number of days that was counted. */}
      <p className="ll-hint" role="status">
        {counted?.days === days ? counted.text : ""}
      </p>
    </>
  );
}
