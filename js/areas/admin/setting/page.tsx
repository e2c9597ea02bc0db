/** /admin/setting: the general settings, group by group, each group edited where it stands. */
import { type ComponentType, useEffect, useState } from "react";

import type { SettingRow, SettingSection } from "../../../lib/api-types";
import { minute } from "../../../lib/format";
import { useT } from "../../../lib/i18n";
import { useHasPoint } from "../../../lib/permissions";
import { usePageData } from "../../../lib/props";
import { notify } from "../../../lib/toast";
import { useLocation } from "../../../lib/visit";
import { Button } from "../../../ui/button";
import { FailedList } from "../../../ui/list-state";
import { Tag } from "../../../ui/tag";
import type { SettingFormProps } from "./form";
import { shownValue } from "./value";

/** The group that is being edited, and its form, which is loaded when it is needed. */
interface Editing {
  group: string;
  Form: ComponentType<SettingFormProps>;
}

export default function Settings() {
  const t = useT();
  const answer = usePageData<SettingSection[] | null>("settings");
  const mayEdit = useHasPoint(["admin/setting/update"]);
  const [editing, setEditing] = useState<Editing | null>(null);
  // Scrolls to the group of a link, after the navigation.
  const { hash } = useLocation();
  useEffect(() => document.getElementById(hash.slice(1))?.scrollIntoView(), [hash]);

  const edit = (group: string) => {
    import("./form").then(
      ({ SettingForm }) => setEditing({ group, Form: SettingForm }),
      () => notify("error", t("ui.failed")),
    );
  };

  return (
    <div className="grid gap-4">
      <div className="ll-card">
        <h1 className="ll-title">{t("setting.title")}</h1>
        <p className="ll-quiet">{t("setting.intro")}</p>
      </div>
      {answer.data === null ? (
        <div className="ll-card">
          <FailedList answer={answer} address="/admin/setting" />
        </div>
      ) : (
        answer.data.map((section) => (
          <section key={section.group} className="ll-card" aria-labelledby={`set-${section.group}`}>
            <header className="set-head">
              <h2 id={`set-${section.group}`}>{section.title}</h2>
              {mayEdit && editing === null && (
                <Button small aria-label={t("setting.editGroup", { name: section.title })} onClick={() => edit(section.group)}>
                  {t("setting.edit")}
                </Button>
              )}
            </header>
            {editing?.group === section.group ? (
              <editing.Form section={section} done={() => setEditing(null)} />
            ) : (
              <dl className="set-list">
                {section.settings.map((row) => (
                  <Shown key={row.key} row={row} />
                ))}
              </dl>
            )}
          </section>
        ))
      )}
    </div>
  );
}

/** A setting, what it does, what it holds, and who set it. */
function Shown({ row }: { row: SettingRow }) {
  const t = useT();
  const { title, help, isSet, updatedAt, updatedBy } = row;
  return (
    <div>
      <dt>
        {title}
        <p className="ll-hint">{help}</p>
      </dt>
      <dd>
        <span className="mr-2">{shownValue(row, t)}</span>
        {!isSet && row.kind !== "secret" && <Tag>{t("setting.default")}</Tag>}
        {updatedAt !== null && <p className="ll-hint">{t("setting.updated", { name: updatedBy ?? "-", time: minute(updatedAt) })}</p>}
      </dd>
    </div>
  );
}
