/** Shown in a page's place when its guard turned the viewer away or its code failed. */

import { isRouteErrorResponse, useRouteError } from "react-router";
import { ExceptionView } from "../ui/exception-view";

export function RouteError() {
  const error = useRouteError();
  return <ExceptionView status={isRouteErrorResponse(error) && error.status === 404 ? 404 : 500} />;
}
