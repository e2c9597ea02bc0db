/** The right column: who the customer is, what is noted about them, and who had the conversation before. */
import { useState } from "react";

import { api } from "../../../lib/api";
import type { ApplicationCard, ConversationRow, CustomerRow, RevealedCustomer, TransferRow } from "../../../lib/api-types";
import { minute } from "../../../lib/format";
import { useT } from "../../../lib/i18n";
import { useHasPoint } from "../../../lib/permissions";
import type { Act } from "../../../ui/act";
import type { List } from "../../../ui/actions";
import { Button } from "../../../ui/button";
import { RecordLink } from "../../../ui/record-link";
import { Tag } from "../../../ui/tag";
import { phoneText } from "../phone-text";
import { type Revealed, wholeOf } from "./state";

interface CustomerPanelProps {
  conversation: ConversationRow;
  /** None for viewers who may not see customers. */
  customer: CustomerRow | null;
  /** The application from the phone number, for viewers who may see customers. */
  application: ApplicationCard | null;
  /** The application that a number in a message led to. */
  found: ApplicationCard | null;
  transfers: readonly TransferRow[];
  /** The whole texts that the viewer has revealed. */
  revealed: Revealed | null;
  list: List;
  act: Act;
}

export function CustomerPanel({ conversation, customer, application, found, transfers, revealed, list, act }: CustomerPanelProps) {
  const t = useT();
  const reveals = useHasPoint(["chat/client/reveal"]);
  const edits = useHasPoint(["chat/client/update"]);
  const [phone, setPhone] = useState<string | null>(null);
  const facts: [string, string][] = [
    [t("conversation.source"), t(`CustomerSource.${conversation.source}`)],
    [t("conversation.createdAt"), minute(conversation.createdAt)],
    [t("conversation.firstReplyAt"), minute(conversation.firstReplyAt)],
    ...(conversation.snoozedUntil === null ? [] : [[t("chat.snoozeUntil"), minute(conversation.snoozedUntil)] as [string, string]]),
    ...(conversation.rating === null
      ? []
      : [
          [t("conversation.rating"), `${"★".repeat(conversation.rating)} ${wholeOf(conversation.ratingNote, revealed?.ratingNote)}`] as [
            string,
            string,
          ],
        ]),
    ...(conversation.closeNote
      ? [[t("conversation.closeNote"), wholeOf(conversation.closeNote, revealed?.closeNote)] as [string, string]]
      : []),
  ];
  const edit = async () => {
    if (!customer) return;
    const { customerDialog } = await import("../customer/form");
    const row = { ...customer, remark: wholeOf(customer.remark, revealed?.remark) };
    if (await list.open<CustomerRow>((overlay) => customerDialog({ overlay, t, row }))) await list.reload("customer.saved");
  };
  return (
    <aside className="chat-customer" aria-label={t("chat.customer")}>
      <h3>{t("chat.customer")}</h3>
      <p className="ll-mono">
        {phoneText(phone ?? conversation.phoneMask, conversation, t) || t("chat.noPhone")}{" "}
        {conversation.phoneMask && phone === null && reveals && (
          <button
            className="ll-link"
            onClick={() =>
              act("reveal", async () => setPhone((await api.get<RevealedCustomer>(`/chat/client/reveal/${conversation.customerId}`)).phone))
            }
          >
            {t("ui.reveal")}
          </button>
        )}
      </p>
      {customer && (
        <>
          {customer.tags.length > 0 && (
            <p className="flex flex-wrap items-center gap-2">
              {customer.tags.map((tag) => (
                <Tag key={tag} color="cyan">
                  {tag}
                </Tag>
              ))}
            </p>
          )}
          {customer.remark && <p className="wrap-anywhere whitespace-pre-line">{wholeOf(customer.remark, revealed?.remark)}</p>}
          <p className="chat-links flex flex-wrap items-center gap-2">
            <a className="ll-link" href={`/chat/client/${customer.id}`}>
              {t("chat.openCustomer")}
            </a>
            <a className="ll-link" href={`/chat/conversation?customerId=${customer.id}`}>
              {t("chat.allOfCustomer", { count: customer.conversations })}
            </a>
          </p>
          {edits && customer.status !== "erased" && (
            <Button small onClick={() => act("edit customer", edit)}>
              {t("customer.editAction")}
            </Button>
          )}
        </>
      )}
      <div role="status">{found && <Application application={found} phoneState="unverified" />}</div>
      {customer && application && application.userId !== found?.userId && (
        <Application application={application} phoneState={customer.phoneState} />
      )}
      <dl>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {transfers.length > 0 && (
        <>
          <h3>{t("chat.transfers")}</h3>
          <ul>
            {transfers.map((one) => (
              <li key={one.id}>
                <time>{minute(one.at)}</time>{" "}
                {t("chat.transferLine", { from: one.fromName ?? one.fromGroup, to: one.toName ?? one.toGroup, by: one.byName })}
                {one.note && ` · ${wholeOf(one.note, revealed?.transfers.get(one.id))}`}
              </li>
            ))}
          </ul>
        </>
      )}
    </aside>
  );
}

interface ApplicationProps {
  application: ApplicationCard;
  phoneState: CustomerRow["phoneState"];
}

/** The application of a customer's phone: when it was made, and who bought the lead. Its number is a link for viewers who may open it. */
function Application({ application: { userId, no, status, createdAt, sales }, phoneState }: ApplicationProps) {
  const t = useT();
  return (
    <>
      <h3>
        <RecordLink href={`/user/list/${userId}`} point="user/list/view" name={t("chat.applicant", { no })} />
        {phoneState !== "verified" && <span className="ll-quiet">{t("customer.byWord")}</span>}
      </h3>
      <dl>
        <div>
          <dt>{t("chat.appliedAt")}</dt>
          <dd>{minute(createdAt)}</dd>
        </div>
        {!sales?.length && (
          <div>
            <dt>{t("chat.soldTo")}</dt>
            <dd>{sales ? t("chat.notSold", { status: t(`UserStatus.${status}`) }) : t("chat.notProved")}</dd>
          </div>
        )}
        {sales?.map(({ pushId, orgName, soldAt, returned, nextContactAt }) => (
          <div key={pushId}>
            <dt>{t("chat.soldTo")}</dt>
            <dd>
              <RecordLink href={`/plan/push-list/${pushId}`} point="plan/push-list/view" name={orgName} /> {minute(soldAt)}
              {returned && ` · ${t("PushStatus.returned")}`}
              {nextContactAt !== null && ` · ${t("chat.nextContact", { at: minute(nextContactAt) })}`}
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}
