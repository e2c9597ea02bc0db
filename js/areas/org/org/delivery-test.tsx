/** The result of a test lead to an organisation: requests and answers, side by side. A lazy chunk. */
import type { DeliveryTrial, DeliveryVerdict } from "../../../lib/api-types";
import { count } from "../../../lib/format";
import { useT } from "../../../lib/i18n";
import { Dialog } from "../../../ui/dialog";
import type { Overlay } from "../../../ui/overlay";
import { EnumTag, type TagColor } from "../../../ui/tag";
import "./delivery-test.css";

const verdictColors = {
  accepted: "green",
  refused: "orange",
  unreadable: "red",
  bad_status: "red",
  too_late: "red",
  too_large: "red",
  unreachable: "red",
  not_public: "red",
  not_there: "green",
  known: "orange",
  cut: "red",
} satisfies Record<DeliveryVerdict, TagColor>;

interface TrialsProps {
  overlay: Overlay;
  title: string;
  trials: readonly DeliveryTrial[];
}

/** The dialog of a test. */
export function showTrials(props: TrialsProps) {
  return <TrialsDialog {...props} />;
}

function TrialsDialog({ overlay, title, trials }: TrialsProps) {
  const t = useT();
  return (
    <Dialog overlay={overlay} title={title}>
      <div className="ll-dialog-body">
        {trials.map(({ call, url, request, sealed, status, response, milliseconds, verdict }) => (
          <section key={call} className="org-trial" aria-labelledby={`trial-${call}`}>
            <h3 className="ll-details-title" id={`trial-${call}`}>
              {t(`org.api.call.${call}`)} <EnumTag labels="org.api.verdict" value={verdict} colors={verdictColors} />
            </h3>
            <p className="ll-quiet">
              {url}
              <br />
              {t("org.api.tookStatus", { status: status ?? "-", ms: count(milliseconds) })}
            </p>
            <div className="org-exchange">
              <figure>
                <figcaption>{t(sealed ? "org.api.sentSealed" : "org.api.sent")}</figcaption>
                <pre tabIndex={0}>{request}</pre>
              </figure>
              <figure>
                <figcaption>{t("org.api.received")}</figcaption>
                <pre tabIndex={0}>{response || t("org.api.nothing")}</pre>
              </figure>
            </div>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
