/** A project's page data, for the pages that show one project; or what to show instead of it. */
import type { ReactNode } from "react";

import type { ProjectDetail } from "../../../lib/api-types";
import { usePageData } from "../../../lib/props";
import { useLocation } from "../../../lib/visit";
import { ExceptionView } from "../../../ui/exception-view";
import { FailedList } from "../../../ui/list-state";

/** Renders `children` with the page's project; without one, shows why. */
export function WithProject({ children }: { children: (detail: ProjectDetail) => ReactNode }) {
  const answer = usePageData<ProjectDetail | null>("project");
  const { pathname, search } = useLocation();
  if (answer.code === "0000" && answer.data) return children(answer.data);
  // An address without a project, or with one that is not there for the viewer.
  if (answer.code === "1004" || answer.code === "4000") return <ExceptionView status={404} />;
  return (
    <div className="ll-card">
      <FailedList answer={answer} address={pathname + search} />
    </div>
  );
}
