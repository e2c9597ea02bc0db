/** The text of a customer's phone number: a number that no code has proved is marked as the customer's statement. */
import type { CustomerRow } from "../../lib/api-types";
import { minute } from "../../lib/format";
import type { Translate } from "../../lib/i18n";

/** The number, masked or whole, with whether it was proved. */
export function phoneText(
  phone: string,
  { phoneState, phoneVerifiedAt }: Pick<CustomerRow, "phoneState" | "phoneVerifiedAt">,
  t: Translate,
): string {
  if (phoneState === null) return phone;
  return phoneState === "verified" ? t("customer.proved", { phone, at: minute(phoneVerifiedAt) }) : t("customer.says", { phone });
}
