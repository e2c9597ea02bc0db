/** The view that replaces a page: forbidden, not found or failed. */

import { useT } from "../lib/i18n";
import { Button, buttonClass } from "./button";

export type ExceptionStatus = 403 | 404 | 500;

/** Goes back to the previous page; if there is none, the browser follows the link home. */
export function goBack(event: React.MouseEvent) {
  if (!hasPrevious()) return;
  event.preventDefault();
  history.back();
}

/** Whether the page before was one of the product: the browser's own new tab is none. Older browsers only have the length of the history. */
function hasPrevious(): boolean {
  const { navigation } = globalThis as { navigation?: { canGoBack: boolean } };
  return navigation?.canGoBack ?? history.length > 1;
}

export function ExceptionView({ status }: { status: ExceptionStatus }) {
  const t = useT();
  return (
    <div className="app-exception">
      <p className="app-exception-code" aria-hidden="true">
        {status}
      </p>
      <h1>{t(`exception.${status}`)}</h1>
      <p className="app-exception-actions">
        <a className={buttonClass("primary")} href="/home" onClick={goBack}>
          {t("exception.back")}
        </a>
        {status === 404 && <Button onClick={() => location.reload()}>{t("exception.retry")}</Button>}
      </p>
    </div>
  );
}
