/** /chat/group/:id: one service group, how visitors get to it, and what was changed. */
import type { ChatGroupRow } from "../../../lib/api-types";
import { useT } from "../../../lib/i18n";
import { useOrigin } from "../../../lib/origin";
import { CopyButton } from "../../../ui/copy-button";
import { Description } from "../../../ui/description";
import { DetailPage, type DetailTab } from "../../../ui/detail-page";
import { recordTabs } from "../../../ui/record-tabs";
import { groupActions } from "./actions";
import { groupFields, visitorPath } from "./fields";

const [, history] = recordTabs(groupFields);

const tabs: readonly DetailTab<ChatGroupRow>[] = [
  {
    name: "details",
    label: "ui.details",
    show: (row) => (
      <>
        <Description wide fields={groupFields} row={row} />
        <Entry pageKey={row.pageKey} />
      </>
    ),
  },
  history!,
];

export default function GroupDetail() {
  return (
    <DetailPage<ChatGroupRow>
      load="group"
      list={{ href: "/chat/group", title: "chatGroup.title" }}
      points="chat/group"
      title={({ name }) => name}
      status="status"
      facts={["staff", "online", "queued", "open"]}
      fields={groupFields}
      actions={groupActions}
      tabs={tabs}
    />
  );
}

/** The address of the visitors' page, and the code that opens it from another page. */
function Entry({ pageKey }: { pageKey: string }) {
  const t = useT();
  const origin = useOrigin();
  const address = origin + visitorPath(pageKey);
  const snippet = `<script src="${origin}/talk/embed.js?g=${pageKey}" async></script>`;
  return (
    <>
      <h2 className="ll-details-title">{t("chatGroup.entry")}</h2>
      <dl className="ll-secrets">
        <div>
          <dt>{t("chatGroup.pageAddress")}</dt>
          <dd>
            <a className="ll-link" href={visitorPath(pageKey)} target="_blank" rel="noreferrer noopener">
              {address}
            </a>
            <CopyButton text={address} what={t("chatGroup.pageAddress")} />
          </dd>
        </div>
        <div>
          <dt>{t("chatGroup.snippet")}</dt>
          <dd>
            <code>{snippet}</code>
            <CopyButton text={snippet} what={t("chatGroup.snippet")} />
          </dd>
        </div>
      </dl>
      <p className="ll-hint">{t("chatGroup.snippetHint")}</p>
    </>
  );
}
