/** The forms of a payment order: a new one, an entered payment, a refund; and where it is paid. A lazy chunk. */
import * as z from "zod/mini";

import type { PaymentOrderMade, PaymentOrderRow, PaymentRefundRow, SelectOption } from "../../../lib/api-types";
import { api } from "../../../lib/api";
import { orderBizCodes } from "../../../lib/codes";
import { minute, money } from "../../../lib/format";
import { type Translate, useT } from "../../../lib/i18n";
import { payeeChannelLimits, paymentOrderLimits, paymentRefundLimits } from "../../../lib/limits";
import { Button, buttonClass } from "../../../ui/button";
import { unmergeable } from "../../../ui/conflict";
import { CopyButton } from "../../../ui/copy-button";
import { Dialog } from "../../../ui/dialog";
import { labelOf } from "../../../ui/field";
import type { Form } from "../../../ui/form";
import { FormDialog } from "../../../ui/form-dialog";
import { rules } from "../../../ui/form-rules";
import { Icon } from "../../../ui/icon";
import type { Overlay } from "../../../ui/overlay";
import { newOrg } from "../../org/share";
import { newOpenChannel } from "../share";

/** Minutes for which an order can be paid. */
const VALIDITIES = [15, 30, 60, 1440, 4320, 10_080] as const;

/** What the form chooses from. */
interface OrderChoices {
  orgs: readonly SelectOption[];
  channels: readonly SelectOption[];
}

interface OrderDialog {
  overlay: Overlay<PaymentOrderMade>;
  t: Translate;
  choices: OrderChoices;
}

function orderForm(t: Translate, { orgs, channels }: OrderChoices) {
  const rule = rules(t);
  const schema = z
    .object({
      orgId: rule.id(),
      payeeChannelId: rule.id(),
      bizType: rule.oneOf(orderBizCodes),
      clueNo: rule.optional(32),
      subject: rule.text(paymentOrderLimits.subject),
      amountCents: rule.money(payeeChannelLimits.mostCents),
      minutes: rule.integer(paymentOrderLimits.leastMinutes, paymentOrderLimits.mostMinutes),
      remark: rule.note(paymentOrderLimits.remark),
    })
    .check(
      z.refine(({ amountCents }) => amountCents > 0, { path: ["amountCents"], error: t("paymentOrder.amountNeeded") }),
      z.refine(({ bizType, clueNo }) => bizType !== "service_fee" || clueNo !== null, {
        path: ["clueNo"],
        error: t("paymentOrder.clueNeeded"),
      }),
    );
  const form: Form<z.output<typeof schema>> = {
    schema,
    fields: [
      {
        name: "orgId",
        label: "paymentOrder.orgName",
        kind: "select",
        required: true,
        empty: "paymentOrder.choose",
        search: "/org/options",
        choices: orgs,
        create: newOrg,
      },
      {
        name: "payeeChannelId",
        label: "paymentOrder.payeeChannelName",
        kind: "select",
        required: true,
        empty: "paymentOrder.choose",
        choices: channels,
        create: newOpenChannel,
      },
      {
        name: "bizType",
        label: "paymentOrder.bizType",
        kind: "select",
        required: true,
        choices: orderBizCodes.map((value) => ({ value, label: labelOf(t, "OrderBiz", value) })),
      },
      {
        name: "clueNo",
        label: "paymentOrder.clueNo",
        kind: "text",
        required: true,
        hint: "paymentOrder.clueHint",
        when: ({ bizType }) => bizType === "service_fee",
      },
      {
        name: "subject",
        label: "paymentOrder.subject",
        kind: "text",
        required: true,
        placeholder: t("paymentOrder.subjectExample"),
        hint: "paymentOrder.subjectHint",
      },
      { name: "amountCents", label: "paymentOrder.amountInput", kind: "money", required: true },
      {
        name: "minutes",
        label: "paymentOrder.validity",
        kind: "select",
        required: true,
        choices: VALIDITIES.map((value) => ({ value, label: t(`paymentOrder.validity.${value}`) })),
      },
      { name: "remark", label: "paymentOrder.remark", kind: "area", wide: true },
    ],
  };
  return form;
}

/** The dialog of a new order; it closes with the order as it was saved. */
export function orderDialog({ overlay, t, choices }: OrderDialog) {
  return (
    <FormDialog
      overlay={overlay}
      title={t("paymentOrder.create")}
      draft="paymentOrder"
      submit={t("paymentOrder.submit")}
      form={orderForm(t, choices)}
      record={{
        orgId: onlyOne(choices.orgs),
        payeeChannelId: onlyOne(choices.channels),
        bizType: "recharge",
        clueNo: null,
        subject: "",
        amountCents: null,
        minutes: 30,
        remark: "",
      }}
      save={({ clueNo, ...values }) =>
        api.post<PaymentOrderMade>("/payOrder", { ...values, clueNo: values.bizType === "service_fee" ? clueNo : null })
      }
    />
  );
}

/** The value that is chosen beforehand, if there is only one. */
const onlyOne = ([first, ...others]: readonly SelectOption[]) => (first && others.length === 0 ? first.value : null);

interface PayerPage {
  overlay: Overlay;
  row: PaymentOrderRow;
  /** The key of the page. */
  token: string;
}

/** The dialog of the address at which an order is paid. */
export function payerPageDialog(props: PayerPage) {
  return <PayerPageDialog {...props} />;
}

function PayerPageDialog({ overlay, row: { no, amountCents, expiresAt }, token }: PayerPage) {
  const t = useT();
  const address = `${location.origin}/pay/${token}`;
  return (
    <Dialog overlay={overlay} title={t("paymentOrder.pageTitle", { no })} shape="small">
      <div className="ll-dialog-body">
        <p className="ll-alert ll-alert-info">
          <Icon name="info" />
          {t("paymentOrder.pageText", { amount: money(amountCents), until: minute(expiresAt) })}
        </p>
        <dl className="ll-secrets">
          <div>
            <dt>{t("paymentOrder.showPage")}</dt>
            <dd>
              <code>{address}</code>
              <CopyButton text={address} what={t("paymentOrder.showPage")} />
            </dd>
          </div>
        </dl>
      </div>
      <footer className="ll-dialog-foot">
        <Button onClick={() => overlay.close()}>{t("ui.close")}</Button>
        <a className={buttonClass("primary")} href={address} target="_blank" rel="noreferrer">
          {t("paymentOrder.openPage")}
        </a>
      </footer>
    </Dialog>
  );
}

interface ClaimDialog {
  overlay: Overlay<PaymentOrderRow>;
  t: Translate;
  row: PaymentOrderRow;
}

/** The dialog that enters an arrived payment; it closes with the order, which then waits for another person. */
export function claimDialog({ overlay, t, row: { id, version, no, orgName, amountCents, payeeChannelName } }: ClaimDialog) {
  const rule = rules(t);
  return (
    <FormDialog
      overlay={overlay}
      title={t("paymentOrder.enterTitle", { no })}
      draft={`paymentOrder.enter ${id} ${version}`}
      note={t("paymentOrder.enterText", { org: orgName, amount: money(amountCents), channel: payeeChannelName })}
      reviewers="/payOrder/reviewers"
      submit={t("paymentOrder.submitEntry")}
      form={{
        schema: z.object({
          channelOrderNo: rule.text(paymentOrderLimits.channelOrderNo),
          paidAt: rule.moment(t("paymentOrder.paidNeeded")),
        }),
        fields: [
          {
            name: "channelOrderNo",
            label: "paymentOrder.channelOrderNo",
            kind: "text",
            required: true,
            hint: "paymentOrder.numberHint",
          },
          { name: "paidAt", label: "paymentOrder.paidAt", kind: "moment", required: true },
        ],
      }}
      record={{ channelOrderNo: "", paidAt: null }}
      save={async (values) => {
        try {
          return await api.put<PaymentOrderRow>("/payOrder/claim", { ...values, id, version });
        } catch (error) {
          // The entry is about the order as it was read: when it has changed, there is nothing to merge.
          throw unmergeable(error);
        }
      }}
    />
  );
}

interface RefundDialog {
  overlay: Overlay<PaymentRefundRow>;
  t: Translate;
  row: PaymentOrderRow;
  /** Fen that can still be refunded. */
  left: number;
}

/** The dialog that asks for a refund; it closes with the refund, which then waits for another person. */
export function refundDialog({ overlay, t, row: { id, no, orgName, paidCents }, left }: RefundDialog) {
  const rule = rules(t);
  return (
    <FormDialog
      overlay={overlay}
      title={t("paymentOrder.refundTitle", { no })}
      draft={`paymentOrder.refund ${id}`}
      note={t("paymentOrder.refundText", { org: orgName, paid: money(paidCents), left: money(left) })}
      reviewers="/payRefund/reviewers"
      submit={t("paymentOrder.submitRefund")}
      form={{
        schema: z
          .object({ amountCents: rule.money(left), reason: rule.text(paymentRefundLimits.reason) })
          .check(z.refine(({ amountCents }) => amountCents > 0, { path: ["amountCents"], error: t("paymentOrder.amountNeeded") })),
        fields: [
          { name: "amountCents", label: "paymentOrder.refundAmount", kind: "money", required: true },
          { name: "reason", label: "paymentRefund.reason", kind: "text", required: true, hint: "paymentOrder.reasonHint" },
        ],
      }}
      record={{ amountCents: left, reason: "" }}
      save={(values) => api.post<PaymentRefundRow>("/payRefund", { ...values, paymentOrderId: id })}
    />
  );
}
