/** The risk report of an applicant. A lazy chunk: it is fetched when a viewer asks for it. */
import { RiskPanel } from "../../../ui/risk-panel";

export default function Risk({ id }: { id: number }) {
  return <RiskPanel path={(call) => `/user/${call}/${id}`} />;
}
