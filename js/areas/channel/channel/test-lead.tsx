/** A test lead: the form of a made-up applicant, and the result of each check. A lazy chunk. */
import * as z from "zod/mini";

import type { ChannelNow, ChannelTest, RuleSet } from "../../../lib/api-types";
import { api } from "../../../lib/api";
import { type Translate, useT } from "../../../lib/i18n";
import { testLeadLimits } from "../../../lib/limits";
import { isGroup, nodesOf } from "../../../lib/rule-set";
import { type ApplicantField, applicantFields } from "../../../lib/terms-table";
import { applicantInputs } from "../../../ui/applicant-inputs";
import { Dialog } from "../../../ui/dialog";
import type { Form } from "../../../ui/form";
import { FormDialog } from "../../../ui/form-dialog";
import { rules } from "../../../ui/form-rules";
import type { Overlay } from "../../../ui/overlay";
import { TestResult } from "./test-result";

/** Fields that the form always has, besides those that the channel requires or its filters name. */
const ALWAYS = ["age", "sex", "city", "applyAmountCents", "applyTermMonths"];

/** The fields that a rule set names. */
export function fieldsIn(rules: RuleSet | null): string[] {
  if (rules === null) return [];
  return nodesOf(rules).flatMap((node) => (isGroup(node) ? fieldsIn(node) : [node.field]));
}

interface TestLeadDialog {
  overlay: Overlay<ChannelTest>;
  t: Translate;
  channel: ChannelNow;
}

/** The form of the made-up applicant; it closes with the result. */
export function testLeadDialog({ overlay, t, channel }: TestLeadDialog) {
  const names = new Set([...ALWAYS, ...channel.requiredFields, ...fieldsIn(channel.filters)]);
  const fields = applicantFields.filter(({ name }) => names.has(name));
  return (
    <FormDialog
      overlay={overlay}
      title={t("channel.testTitle", { name: channel.name })}
      submit={t("channel.testRun")}
      draft={`channel.test ${channel.id}`}
      form={applicantForm(t, fields, channel.ipAllow.length > 0)}
      record={{ phone: "10000010000", name: t("channel.testName") }}
      save={({ phone, name, ip, ...applicant }) => api.post<ChannelTest>("/channel/test", { id: channel.id, phone, name, ip, applicant })}
    />
  );
}

function applicantForm(t: Translate, fields: readonly ApplicantField[], withAddress: boolean) {
  const rule = rules(t);
  const answers = applicantInputs(t, fields);
  const schema = z.object({
    phone: rule.note(testLeadLimits.phone),
    name: rule.note(testLeadLimits.name),
    ip: rule.optional(testLeadLimits.ip),
    ...answers.schemas,
  });
  const form: Form<{ phone: string; name: string; ip: string | null }> = {
    schema,
    fields: [
      { name: "phone", label: "channel.testPhone", kind: "text", type: "tel", hint: "channel.testPhoneHint" },
      { name: "name", label: "channel.testPerson", kind: "text" },
      { name: "ip", label: "channel.testIp", kind: "text", hint: withAddress ? "channel.testIpHint" : undefined, wide: true },
      ...answers.inputs,
    ],
  };
  return form;
}

/** The drawer of the result. */
export function showTest(props: { overlay: Overlay; test: ChannelTest; name: string }) {
  return <TestDrawer {...props} />;
}

function TestDrawer({ overlay, test, name }: { overlay: Overlay; test: ChannelTest; name: string }) {
  const t = useT();
  return (
    <Dialog overlay={overlay} title={t("channel.testOf", { name })} shape="drawer">
      <div className="ll-dialog-body">
        <TestResult test={test} />
      </div>
    </Dialog>
  );
}
