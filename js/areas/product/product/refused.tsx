/** The refused products of a change of many, with the reasons. A lazy chunk. */
import type { ProductsChanged } from "../../../lib/api-types";
import { useT } from "../../../lib/i18n";
import { Button } from "../../../ui/button";
import { Dialog } from "../../../ui/dialog";
import type { Overlay } from "../../../ui/overlay";
import "./refused.css";

interface RefusedProps {
  overlay: Overlay;
  outcome: ProductsChanged;
  /** The address of a product's checks. */
  checks?: (id: number) => string;
}

/** The dialog after a change of many products of which some were refused. */
export function showRefused(props: RefusedProps) {
  return <RefusedDialog {...props} />;
}

function RefusedDialog({ overlay, outcome: { done, refused }, checks }: RefusedProps) {
  const t = useT();
  return (
    <Dialog overlay={overlay} title={t("product.refusedTitle", { done, refused: refused.length })}>
      <div className="ll-dialog-body">
        <ul className="prod-refused">
          {refused.map(({ id, name, reason }) => (
            <li key={id}>
              <strong>{name || `#${id}`}</strong>
              <p>{reason}</p>
              {checks && (
                <a className="ll-link" href={checks(id)} aria-label={`${t("product.checks")} ${name}`}>
                  {t("product.checks")}
                </a>
              )}
            </li>
          ))}
        </ul>
      </div>
      <footer className="ll-dialog-foot">
        <Button look="primary" onClick={() => overlay.close()}>
          {t("ui.close")}
        </Button>
      </footer>
    </Dialog>
  );
}
