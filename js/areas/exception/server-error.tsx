/** 500: the page could not be rendered. */

import { ExceptionView } from "../../ui/exception-view";

export default function ServerError() {
  return <ExceptionView status={500} />;
}
