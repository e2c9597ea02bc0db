/** A notice in a form whose save waits for a second person: no other account may decide on it. */
import { useEffect, useState } from "react";

import type { Reviewers } from "../lib/api-types";
import { api } from "../lib/api";
import { NoOther } from "./waits-for";

/** `path` is the call that answers whether there is another one; it is made once, when the form opens. */
export function NoReviewer({ path }: { path: string }) {
  const [isAlone, setAlone] = useState(false);
  useEffect(() => {
    const left = new AbortController();
    api.get<Reviewers>(path, undefined, { quiet: true, signal: left.signal }).then(
      ({ others }) => setAlone(!others),
      // The form works without the notice.
      () => {},
    );
    return () => left.abort();
  }, [path]);
  if (!isAlone) return null;
  return (
    <p className="ll-alert ll-alert-info" role="status">
      <NoOther />
    </p>
  );
}
