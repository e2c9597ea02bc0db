/** 403: the page exists, but the viewer may not open it. */

import { ExceptionView } from "../../ui/exception-view";

export default function Forbidden() {
  return <ExceptionView status={403} />;
}
