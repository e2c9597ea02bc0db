/** One question in full. A lazy chunk. */
import type { MatchDetail } from "../../../lib/api-types";
import { useT } from "../../../lib/i18n";
import { Description } from "../../../ui/description";
import { Dialog } from "../../../ui/dialog";
import type { Overlay } from "../../../ui/overlay";
import { MatchBody } from "./body";
import { matchFields } from "./fields";

interface MatchProps {
  overlay: Overlay;
  match: MatchDetail;
}

/** The drawer of a question. */
export function showMatch(props: MatchProps) {
  return <MatchDrawer {...props} />;
}

function MatchDrawer({ overlay, match }: MatchProps) {
  const t = useT();
  const { request, response, passedOver } = match;
  const isBare = !request && !response && passedOver.length === 0;
  return (
    <Dialog overlay={overlay} title={match.no} shape="drawer">
      <div className="ll-dialog-body">
        <Description fields={matchFields} row={match} />
        <h3 className="ll-details-title">{t("match.exchange")}</h3>
        {isBare ? <p className="ll-quiet">{t("match.nothing")}</p> : <MatchBody match={match} />}
      </div>
    </Dialog>
  );
}
