/** The message that a list shows instead of rows: nothing yet, nothing found, or a failure. */
import type { ReactNode } from "react";

import { useT } from "../lib/i18n";
import { useViewer } from "../lib/props";
import type { Envelope } from "../lib/types";
import { buttonClass } from "./button";
import { Icon, type IconName } from "./icon";

interface StateProps {
  icon: IconName;
  title: string;
  text?: string;
  children?: ReactNode;
}

/** A message in the place of content, with links or buttons for the next step. */
export function State({ icon, title, text, children }: StateProps) {
  return (
    <div className="ll-state">
      <Icon name={icon} />
      <p className="ll-state-title">{title}</p>
      {text && <p>{text}</p>}
      {children && <div className="ll-state-acts">{children}</div>}
    </div>
  );
}

interface EmptyProps {
  /** Filters are set, so there may be more without them. */
  filtered: boolean;
  /** What the texts that are searched by may be: some lists find whole numbers only. */
  accepts?: string;
  /** The requested page is beyond the last one. */
  beyond: boolean;
  /** Where this list starts, without filters. */
  pathname: string;
  /** A text that says what will be here and how it gets here. */
  hint: string;
  /** The button that creates the first record, for viewers who may. */
  children?: ReactNode;
}

export function EmptyList({ filtered, accepts = "", beyond, pathname, hint, children }: EmptyProps) {
  const t = useT();
  if (beyond || filtered) {
    return (
      <State icon="search" title={t(beyond ? "ui.beyond" : "ui.noResults")} text={beyond ? undefined : accepts + t("ui.noResultsText")}>
        <a className={buttonClass()} href={pathname}>
          {t(beyond ? "ui.firstPage" : "ui.clearFilters")}
        </a>
      </State>
    );
  }
  return (
    <State icon="list" title={t("ui.empty")} text={hint}>
      {children}
    </State>
  );
}

/** Codes of a request that cannot be read, or makes no sense: a range that ends before it begins. */
const MALFORMED = "4000";
const WRONG = "1001";
/** Code of a refusal because of the state of a record; for a load, because a new password or a second factor is due. */
const STATE = "1006";

/**
 * The load's message, and a link that tries again: a real one, because the network may have failed. If the address
 * itself is wrong, trying again would fail again: the link then opens the list without its query.
 */
export function FailedList({ answer, address }: { answer: Envelope<unknown>; address: string }) {
  const t = useT();
  const isState = answer.code === STATE;
  const mustEnrol = useViewer()?.mustEnrol && isState;
  const [title, href, way] = mustEnrol
    ? [answer.desc, "/account/setting", t("ui.setUpFactor")]
    : answer.code === MALFORMED
      ? [t("ui.malformed"), address.split("?")[0], t("ui.clearFilters")]
      : [
          answer.desc || t("ui.failed"),
          ...(answer.code === WRONG ? [address.split("?")[0], t("ui.clearFilters")] : [address, t("ui.retry")]),
        ];
  return (
    <div role="alert">
      <State icon="warning" title={title} text={isState ? undefined : t("ui.failedText", { code: answer.code })}>
        <a className={buttonClass("primary")} href={href}>
          {way}
        </a>
      </State>
    </div>
  );
}
