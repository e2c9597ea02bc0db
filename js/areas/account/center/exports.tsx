/** One's own exports: how far they are, their files, stopping and removing them. */
import { useEffect, useEffectEvent } from "react";

import { api } from "../../../lib/api";
import type { ExportRow, Page } from "../../../lib/api-types";
import { bytes, count } from "../../../lib/format";
import { type Translate, useT } from "../../../lib/i18n";
import type { ListQuery } from "../../../lib/list-query";
import { useReload } from "../../../lib/props";
import { notify } from "../../../lib/toast";
import type { Envelope } from "../../../lib/types";
import { isUnderWay } from "../../../ui/export";
import type { Field } from "../../../ui/field";
import { FailedList, State } from "../../../ui/list-state";
import { ListTable } from "../../../ui/list-table";
import { confirm, useOverlay } from "../../../ui/overlay";
import { Pagination } from "../../../ui/pagination";
import { Tag } from "../../../ui/tag";

/** How often the list is reloaded while an export in it is running. */
const EVERY_MS = 2000;

const fields: readonly Field<ExportRow>[] = [
  { key: "title", title: "account.exportTitle", show: name },
  {
    key: "status",
    title: "account.exportStatus",
    kind: "enum",
    labels: "account.export",
    colors: { queued: "gray", running: "blue", success: "green", failed: "red", stopped: "orange", expired: "gray" },
  },
  { key: "rowCount", title: "account.exportRows", show: rows },
  { key: "fileSize", title: "account.exportSize", show: ({ fileSize }) => bytes(fileSize) },
  {
    key: "fileSha256",
    title: "account.exportHash",
    show: ({ fileSha256 }) => fileSha256 && <code title={fileSha256}>{fileSha256.slice(0, 12)}</code>,
  },
  { key: "downloadCount", title: "account.exportDownloads", kind: "count" },
  { key: "createdAt", title: "account.exportAt", kind: "time" },
  { key: "finishedAt", title: "account.exportFinished", kind: "time" },
  { key: "expiresAt", title: "account.exportExpires", kind: "time" },
];

/** The list's name; for a file with whole numbers also a label and the reason. */
function name({ title, format, plainReason }: ExportRow, t: Translate) {
  const file = `${title} (${format})`;
  if (plainReason === null) return file;
  return (
    <>
      {file} <Tag color="red">{t("account.exportPlain")}</Tag>
      <small className="ll-quiet block max-w-[32em] wrap-anywhere whitespace-normal">{plainReason}</small>
    </>
  );
}

/** The progress, or why the export failed. */
function rows({ status, rowCount, totalRows, reason }: ExportRow, t: Translate) {
  if (status === "failed") return reason ?? "";
  if (status !== "running" || totalRows === null) return status === "queued" ? "" : count(rowCount);
  return (
    <span className="account-progress">
      <progress className="ll-progress" aria-label={t("ui.exporting")} max={totalRows || 1} value={rowCount} />
      {count(rowCount)} / {count(totalRows)}
    </span>
  );
}

interface ExportsProps {
  answer: Envelope<Page<ExportRow> | null>;
  query: ListQuery;
  pathname: string;
}

export function Exports({ answer, query, pathname }: ExportsProps) {
  const t = useT();
  const reload = useReload();
  const [overlays, open] = useOverlay();
  const page = answer.data;
  const underWay = page?.list.some(isUnderWay) ?? false;
  const look = useEffectEvent(() => {
    if (!document.hidden) void reload();
  });
  useEffect(() => {
    if (!underWay) return;
    const timer = setInterval(look, EVERY_MS);
    return () => clearInterval(timer);
  }, [underWay]);

  const end = async (task: ExportRow) => {
    const stop = isUnderWay(task);
    const question = stop
      ? { title: t("account.exportStopTitle"), confirm: t("account.exportStop") }
      : { title: t("account.exportRemoveTitle"), text: t("account.exportRemoveText"), confirm: t("account.exportRemove") };
    if (!(await confirm(open, { ...question, danger: true }))) return;
    try {
      await api.del(`/export/${task.id}`);
      notify("success", t(stop ? "ui.exportStopped" : "account.exportRemoved"));
    } finally {
      await reload();
    }
  };

  if (page === null) return <FailedList answer={answer} address={`${pathname}?tab=exports`} />;
  if (page.list.length === 0) return <State icon="download" title={t("ui.empty")} text={t("account.exportEmpty")} />;
  return (
    <>
      <ListTable
        label={t("account.exports")}
        rows={page.list}
        fields={fields}
        query={query}
        pathname={pathname}
        density="normal"
        loading={false}
        actions={{
          of: (task) => [
            ...(task.url ? [{ name: "save", label: t("account.exportSave"), href: task.url, download: task.fileName ?? "" }] : []),
            { name: "end", label: t(isUnderWay(task) ? "account.exportStop" : "account.exportRemove"), danger: true },
          ],
          run: (task) => void end(task).catch(() => {}),
        }}
      />
      <Pagination pathname={pathname} query={query} total={page.total} totalIsExact={page.totalIsExact} />
      {overlays}
    </>
  );
}
