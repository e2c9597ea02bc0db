/** /project/form: the form of a project: new, from its draft, or to be corrected. */

import type { ProjectRow } from "../../../lib/api-types";
import { api } from "../../../lib/api";
import { useT } from "../../../lib/i18n";
import { usePageData } from "../../../lib/props";
import { useNavigate } from "../../../lib/visit";
import { buttonClass } from "../../../ui/button";
import { State } from "../../../ui/list-state";
import { ServerDraftForm } from "../../../ui/server-draft-form";
import { blank, projectForm, type Written } from "./definition";

export default function ProjectForm() {
  const t = useT();
  const navigate = useNavigate();
  const { code, desc, data } = usePageData<ProjectRow | null>("project");
  if (code !== "0000") {
    return (
      <div className="ll-card" role="alert">
        <State icon="warning" title={t("project.notEditable")} text={desc}>
          <a className={buttonClass("primary")} href="/project/list">
            {t("result.toList")}
          </a>
        </State>
      </div>
    );
  }
  const stored: Written = data ?? blank;
  const isCorrection = data?.status === "returned";
  const { sections, schema, draftOf } = projectForm(t, stored);
  /** A correction sends the project's id; a draft needs none, since an account has only one. */
  const of = (record: Written) => ({ id: isCorrection ? record.id : undefined, version: record.version });
  const quiet = { quiet: true };
  return (
    <ServerDraftForm
      key={data?.id ?? "new"}
      title={isCorrection ? "project.correctTitle" : "project.formTitle"}
      text="project.formText"
      sections={sections}
      schema={schema}
      record={stored}
      blank={isCorrection ? stored : blank}
      submit="ui.submit"
      save={(values, record) => {
        const body = { ...values, ...of(record) };
        return isCorrection ? api.put<ProjectRow>("/project", body, quiet) : api.post<ProjectRow>("/project", body, quiet);
      }}
      saved={({ id }) => void navigate(`/result/success?id=${id}`)}
      draft={{
        save: (inputs, record) => api.put<ProjectRow>("/project/draft", { ...draftOf(inputs), ...of(record) }, quiet),
        valuesOf: draftOf,
        // The last change of a returned project was its return, which is no save of this form.
        savedAt: ({ status, version, updatedAt }) => (status === "draft" || version !== stored.version ? (updatedAt ?? null) : null),
      }}
    >
      {isCorrection && (
        <p>
          <a className="ll-link" href={`/result/error?id=${data.id}`}>
            {t("project.returnedFor")}
          </a>
        </p>
      )}
    </ServerDraftForm>
  );
}
