/** /result/error?id=: a project has come back: why, and the way to correct it. */
import type { ProjectDetail } from "../../../lib/api-types";
import { useT } from "../../../lib/i18n";
import { useHasPoint } from "../../../lib/permissions";
import { useViewer } from "../../../lib/props";
import { goBack } from "../../../ui/exception-view";
import { buttonClass } from "../../../ui/button";
import { Icon } from "../../../ui/icon";
import { Reasons } from "../project/reasons";
import { WithProject } from "../project/record";
import { formOf, isOwn, profileOf } from "../project/status";

export default function ResultError() {
  return <WithProject>{(detail) => <Returned detail={detail} />}</WithProject>;
}

function Returned({ detail: { project, steps } }: { detail: ProjectDetail }) {
  const t = useT();
  const viewer = useViewer();
  const mayCorrect = useHasPoint(["project/list/update"]) && isOwn(project, viewer);
  const step = project.status === "returned" ? steps.find(({ action }) => action === "returned") : undefined;
  const words = { name: project.name || t("project.unnamed"), status: t(`ProjectStatus.${project.status}`) };
  return (
    <div className="ll-card ll-result">
      <Icon name={step ? "close" : "info"} className={step ? "ll-result-mark ll-result-bad" : "ll-result-mark"} />
      <h1>{t(step ? "result.errorTitle" : "result.nothingWrong")}</h1>
      <p className="ll-quiet">{t(step ? "result.errorText" : "result.nothingWrongText", words)}</p>
      <div className="ll-result-acts">
        <a className={buttonClass()} href={profileOf(project.id)} onClick={goBack}>
          {t("result.goBack")}
        </a>
        {step && mayCorrect && (
          <a className={buttonClass("primary")} href={formOf(project)}>
            {t("result.correct")}
          </a>
        )}
      </div>
      {step && (
        <section className="ll-result-box" aria-label={t("project.returnedFor")}>
          <h2>{t("result.details")}</h2>
          <Reasons step={step} />
        </section>
      )}
    </div>
  );
}
