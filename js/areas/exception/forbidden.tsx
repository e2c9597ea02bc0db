/** 403: the page is there, but the viewer's rights do not reach it. */

import { ExceptionView } from "../../ui/exception-view";

export default function Forbidden() {
  return <ExceptionView status={403} />;
}
