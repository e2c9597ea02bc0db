/** /channel/list/:id: one channel: whether its leads are sold, how it is connected, its terms and what happened to it. */
import type { ChannelNow, ChannelTest, SelectOption } from "../../../lib/api-types";
import { useFieldChoices } from "../../../lib/choices";
import { time } from "../../../lib/format";
import { useT } from "../../../lib/i18n";
import { useOrigin } from "../../../lib/origin";
import { usePoints } from "../../../lib/permissions";
import { useLoaded } from "../../../lib/props";
import { buttonClass } from "../../../ui/button";
import { CopyButton } from "../../../ui/copy-button";
import { Description } from "../../../ui/description";
import { DetailPage } from "../../../ui/detail-page";
import type { Field } from "../../../ui/field";
import { termsInWords } from "../../../ui/terms-in-words";
import { LoadedTimeline } from "../../../ui/timeline";
import { pageActions } from "./actions";
import { channelFields, channelTitles } from "./fields";
import { QrCode } from "./qr-code";
import { stateOf } from "./state";
import { TestResult } from "./test-result";

/** The lists of what came of a channel. */
const lists = [
  { href: "/user/list", parameter: "channelId", label: "channel.users", point: "user/list/list" },
  { href: "/plan/push-list", parameter: "channelId", label: "channel.pushes", point: "plan/push-list/list" },
  { href: "/channel/uv-list", parameter: "subjectId", label: "uv.visits", point: "channel/uv-list/list" },
  { href: "/finance/partner", parameter: "channelId", label: "channel.statements", point: "finance/partner/list" },
] as const;

/** Shown in the head of the page. */
const HEAD: readonly string[] = ["name", "status", "payable"];
/** Shown in the tab of the links and keys. */
const ACCESS: readonly string[] = ["appKey", "oldSecretUntil", "ipAllow", "landingUrl", "callbackUrl"];

const FACTS = ["code", "mode", "settleMode", "unitPriceCents", "usage", "ownerName"] as const;

export default function ChannelDetail() {
  useFieldChoices();
  const seesPayable = (useLoaded<ChannelNow>("channel")?.payable ?? null) !== null;
  const owners = useLoaded<SelectOption[]>("owners") ?? [];
  const test = useLoaded<ChannelTest>("test");
  return (
    <DetailPage<ChannelNow>
      load="channel"
      list={{ href: "/channel/list", title: "channel.title" }}
      points="channel/list"
      title={({ name }) => name}
      status="status"
      sentence={(row, t) => <p className="mb-4">{stateOf(row, test, t)}</p>}
      facts={seesPayable ? [...FACTS, "payable"] : FACTS}
      fields={channelFields}
      actions={pageActions(owners)}
      tabs={[
        { name: "details", label: "ui.details", show: (row) => <Terms row={row} /> },
        { name: "access", label: "channel.access", show: (row) => <Access row={row} /> },
        {
          name: "test",
          label: "channel.test",
          show: (_, t) => (test ? <TestResult test={test} /> : <p className="ll-quiet">{t("channel.noTest")}</p>),
        },
        {
          name: "history",
          label: "ui.history",
          show: () => <LoadedTimeline load="history" fields={channelFields} titles={channelTitles} />,
        },
      ]}
    />
  );
}

const termsFields = termsInWords(channelFields).filter(({ key }) => !HEAD.includes(key) && !ACCESS.includes(key));

const accessFields = channelFields
  .filter(({ key }) => ACCESS.includes(key))
  .map((field): Field<ChannelNow> =>
    field.key === "oldSecretUntil"
      ? { ...field, show: ({ oldSecretUntil }, t) => (oldSecretUntil === null ? t("channel.noOldSecret") : time(oldSecretUntil)) }
      : field,
  );

/** The terms that have a value, and the lists of what came of the channel. */
function Terms({ row }: { row: ChannelNow }) {
  const t = useT();
  const held = usePoints();
  return (
    <>
      <Description wide filled fields={termsFields} row={row} />
      <div className="ll-toolbar mt-4">
        {lists
          .filter(({ point }) => held.has(point))
          .map(({ href, parameter, label }) => (
            <a key={href} className={buttonClass()} href={`${href}?${parameter}=${row.id}`}>
              {t(label)}
            </a>
          ))}
      </div>
    </>
  );
}

/** The links that count visits, and the state of the keys. */
function Access({ row }: { row: ChannelNow }) {
  const t = useT();
  const origin = useOrigin();
  const address = `${origin}/v/${row.code}`;
  const snippet = `<script async src="${address}.js"></script>`;
  return (
    <>
      <dl className="ll-secrets">
        {row.landingUrl !== null && <Copied label={t("channel.link")} text={address} />}
        <Copied label={t("channel.script")} text={snippet} />
        <Copied label={t("channel.productPage")} text={`${address}/products`} />
      </dl>
      <p className="ll-hint">{t(row.landingUrl === null ? "channel.noLanding" : "channel.linkHint")}</p>
      <QrCode id={row.id} />
      <h2 className="ll-details-title">{t("channel.keys")}</h2>
      <Description wide filled fields={accessFields} row={row} />
      <dl className="ll-secrets mt-4">
        <Copied label={t("channel.guide")} text={`${origin}/partner-api`} />
      </dl>
    </>
  );
}

/** A text with a button that copies it. */
function Copied({ label, text }: { label: string; text: string }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        <code>{text}</code>
        <CopyButton text={text} what={label} />
      </dd>
    </div>
  );
}
