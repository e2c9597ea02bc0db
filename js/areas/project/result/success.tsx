/** /result/success?id=: a project has been submitted: what comes next, to be read and printed. */
import type { ProjectDetail } from "../../../lib/api-types";
import { useT } from "../../../lib/i18n";
import { Button, buttonClass } from "../../../ui/button";
import { Icon } from "../../../ui/icon";
import { Steps } from "../../../ui/steps";
import { progressOf } from "../project/progress";
import { WithProject } from "../project/record";
import { profileOf } from "../project/status";

export default function ResultSuccess() {
  return <WithProject>{(detail) => <Success detail={detail} />}</WithProject>;
}

function Success({ detail }: { detail: ProjectDetail }) {
  const t = useT();
  const { id, name, no, status } = detail.project;
  const isGood = status === "submitted" || status === "launched";
  const words = { name: name || t("project.unnamed"), no: no ?? "", status: t(`ProjectStatus.${status}`) };
  const kind = status === "submitted" ? "success" : status === "launched" ? "launched" : "other";
  return (
    <div className="ll-card ll-result">
      <Icon name={isGood ? "check" : "info"} className={isGood ? "ll-result-mark ll-result-good" : "ll-result-mark"} />
      <h1>{t(`result.${kind}Title`, words)}</h1>
      <p className="ll-quiet">{t(`result.${kind}Text`, words)}</p>
      <div className="ll-result-acts">
        <Button onClick={() => print()}>{t("result.print")}</Button>
        <a className={buttonClass()} href={profileOf(id)}>
          {t("result.toProfile")}
        </a>
        <a className={buttonClass("primary")} href="/project/list">
          {t("result.toList")}
        </a>
      </div>
      <section className="ll-result-box" aria-label={t("result.progress")}>
        <h2>{t("result.progress")}</h2>
        <Steps label={t("result.progress")} steps={progressOf(detail, t)} />
      </section>
    </div>
  );
}
