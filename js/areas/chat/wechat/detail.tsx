/** /chat/wechat/:id: one official account, the address that WeChat calls, and what was changed. */
import type { WechatRow } from "../../../lib/api-types";
import { useT } from "../../../lib/i18n";
import { useOrigin } from "../../../lib/origin";
import { CopyButton } from "../../../ui/copy-button";
import { Description } from "../../../ui/description";
import { DetailPage, type DetailTab } from "../../../ui/detail-page";
import { recordTabs } from "../../../ui/record-tabs";
import { wechatActions } from "./actions";
import { wechatFields, wechatTitles } from "./fields";

const [, history] = recordTabs(wechatFields, wechatTitles);

const tabs: readonly DetailTab<WechatRow>[] = [
  {
    name: "details",
    label: "ui.details",
    show: (row) => (
      <>
        <Description wide fields={wechatFields} row={row} />
        <Callback path={row.callbackPath} />
      </>
    ),
  },
  history!,
];

export default function WechatDetail() {
  return (
    <DetailPage<WechatRow>
      load="wechat"
      list={{ href: "/chat/wechat", title: "chatWechat.title" }}
      points="chat/wechat"
      title={({ name }) => name}
      status="status"
      facts={["groupName", "followers", "verifiedAt"]}
      fields={wechatFields}
      actions={wechatActions}
      tabs={tabs}
    />
  );
}

/** The address to which WeChat delivers messages. */
function Callback({ path }: { path: string }) {
  const t = useT();
  const address = useOrigin() + path;
  return (
    <>
      <h2 className="ll-details-title">{t("chatWechat.callback")}</h2>
      <dl className="ll-secrets">
        <div>
          <dt>{t("chatWechat.address")}</dt>
          <dd>
            <code>{address}</code>
            <CopyButton text={address} what={t("chatWechat.address")} />
          </dd>
        </div>
      </dl>
      <p className="ll-hint">{t("chatWechat.addressHint")}</p>
    </>
  );
}
