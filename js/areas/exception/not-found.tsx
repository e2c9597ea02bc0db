/** 404: no such page, or none of this viewer's. */

import { ExceptionView } from "../../ui/exception-view";

export default function NotFound() {
  return <ExceptionView status={404} />;
}
