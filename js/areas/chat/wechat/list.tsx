/** /chat/wechat: the WeChat official accounts that customers write to. */
import type { WechatRow } from "../../../lib/api-types";
import { ListPage } from "../../../ui/list-page";
import { edit, wechatActions } from "./actions";
import { wechatFields, wechatFilters } from "./fields";

export default function Accounts() {
  return (
    <ListPage<WechatRow>
      title="chatWechat.title"
      empty="chatWechat.empty"
      api="/chat/wechat"
      points="chat/wechat"
      fields={wechatFields}
      filters={wechatFilters}
      href={({ id }) => `/chat/wechat/${id}`}
      create={{ label: "chatWechat.create", run: (list) => edit(undefined, list) }}
      actions={wechatActions}
    />
  );
}
