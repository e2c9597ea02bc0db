/** /project/profile?id=: one project: its progress, its fields, its history, and the actions. */
import type { ProjectDetail, ProjectRow } from "../../../lib/api-types";
import { api } from "../../../lib/api";
import { time } from "../../../lib/format";
import { useT } from "../../../lib/i18n";
import { useHasPoint } from "../../../lib/permissions";
import { useReload, useViewer } from "../../../lib/props";
import { notify } from "../../../lib/toast";
import { Button, buttonClass } from "../../../ui/button";
import { Description, reported } from "../../../ui/description";
import { useOverlay } from "../../../ui/overlay";
import { Steps } from "../../../ui/steps";
import { EnumTag } from "../../../ui/tag";
import type { Desk } from "./decide";
import { contentFields, projectFields } from "./fields";
import { progressOf } from "./progress";
import { Reasons } from "./reasons";
import { WithProject } from "./record";
import { formOf, isOpen, isOwn, mayDecide, statusColors } from "./status";

export default function ProjectProfile() {
  return <WithProject>{(detail) => <Profile detail={detail} />}</WithProject>;
}

/** Fields of a project that are not in its form. */
const aboutFields = projectFields.filter(({ key }) =>
  (["no", "applicantName", "submittedAt", "launchedAt", "createdAt", "updatedAt"] as readonly string[]).includes(key),
);

function Profile({ detail }: { detail: ProjectDetail }) {
  const { project, steps, previous } = detail;
  const t = useT();
  const mayReveal = useHasPoint(["project/list/reveal"]);
  const contactPhoneMask = async () => (await api.get<{ contactPhone: string | null }>(`/project/reveal/${project.id}`)).contactPhone;
  const returned = project.status === "returned" ? steps.find(({ action }) => action === "returned") : undefined;
  return (
    <>
      <div className="ll-card">
        <header className="ll-page-head">
          <div className="ll-page-title">
            <h1 className="ll-title">{project.name || t("project.unnamed")}</h1>
            <EnumTag labels="ProjectStatus" value={project.status} colors={statusColors} />
          </div>
          <Actions project={project} />
        </header>
        <Steps label={t("project.progress")} steps={progressOf(detail, t)} />
        {returned && (
          <section className="ll-reasons-box" aria-label={t("project.returnedFor")}>
            <h2>{t("project.returnedFor")}</h2>
            <Reasons step={returned} />
          </section>
        )}
      </div>
      <section className="ll-card" aria-label={t("project.currentData")}>
        <h2 className="ll-form-section-title">{t("project.currentData")}</h2>
        {previous && <p className="ll-quiet ll-details-note">{t("project.previousNote")}</p>}
        <Description
          wide
          fields={[...contentFields, ...aboutFields]}
          row={project}
          previous={previous ? { ...project, ...previous } : undefined}
          reveals={mayReveal ? { contactPhoneMask } : undefined}
        />
      </section>
      <div className="ll-card">
        <h2 className="ll-form-section-title">{t("project.history")}</h2>
        <History steps={steps} />
      </div>
    </>
  );
}

function Actions({ project }: { project: ProjectRow }) {
  const t = useT();
  const viewer = useViewer();
  const runLoads = useReload();
  const [overlays, open] = useOverlay();
  const [mayAudit, mayWrite, mayWithdraw] = [
    useHasPoint(["project/list/audit"]),
    useHasPoint([project.status === "draft" ? "project/list/create" : "project/list/update"]),
    useHasPoint(["project/list/withdraw"]),
  ];
  const own = isOwn(project, viewer);
  const desk: Desk = {
    t,
    open,
    reload: async (done) => {
      if (done) notify("success", t(done));
      await runLoads();
    },
  };
  const act = (kind: "approve" | "sendBack" | "withdraw") => {
    import("./decide")
      .then((decide) => decide[kind](project, desk))
      .catch((error: unknown) => {
        reported(error);
        return runLoads();
      });
  };
  return (
    <div className="ll-page-acts">
      {mayAudit && project.status === "submitted" && own && <span className="ll-quiet">{t("project.notYours")}</span>}
      {own && mayWithdraw && isOpen(project) && <Button onClick={() => act("withdraw")}>{t("project.withdraw")}</Button>}
      {mayAudit && mayDecide(project, viewer) && (
        <>
          <Button onClick={() => act("sendBack")}>{t("project.return")}</Button>
          <Button look="primary" onClick={() => act("approve")}>
            {t("project.approve")}
          </Button>
        </>
      )}
      {own && mayWrite && (project.status === "draft" || project.status === "returned") && (
        <a className={buttonClass("primary")} href={formOf(project)}>
          {t(project.status === "draft" ? "project.continue" : "project.correct")}
        </a>
      )}
      {overlays}
    </div>
  );
}

/** What happened, the latest first. */
function History({ steps }: Pick<ProjectDetail, "steps">) {
  const t = useT();
  if (steps.length === 0) return <p className="ll-quiet">{t("project.noHistory")}</p>;
  return (
    <div className="ll-table-box" role="group" aria-label={t("project.history")} tabIndex={0}>
      <table className="ll-table ll-table-text">
        <thead>
          <tr>
            <th scope="col">{t("project.historyAt")}</th>
            <th scope="col">{t("project.historyStep")}</th>
            <th scope="col">{t("project.historyAction")}</th>
            <th scope="col">{t("project.historyBy")}</th>
            <th scope="col">{t("project.historyNote")}</th>
          </tr>
        </thead>
        <tbody>
          {steps.map((step) => (
            <tr key={step.id}>
              <th scope="row" className="ll-mono">
                {time(step.at)}
              </th>
              <td>{t(`ProjectStage.${step.stage}`)}</td>
              <td>
                <EnumTag labels="project.action" value={step.action} colors={actionColors} />
              </td>
              <td>{step.byName}</td>
              <td>{step.reasons.length > 0 ? <Reasons step={step} /> : step.note || "-"}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const actionColors = { submitted: "blue", approved: "green", returned: "orange", withdrawn: "gray" } as const;
