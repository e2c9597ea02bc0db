/** What has to be done before the first lead is sold, with the state of each step and where it is done. */
import type { FirstStep, SettingSection } from "../../../lib/api-types";
import { api } from "../../../lib/api";
import { useT } from "../../../lib/i18n";
import { useHasPoint } from "../../../lib/permissions";
import { useReload } from "../../../lib/props";
import { Tag } from "../../../ui/tag";

const SETTING = "message.first_steps";

export function FirstSteps({ steps }: { steps: readonly FirstStep[] }) {
  const t = useT();
  const mayHide = useHasPoint(["admin/setting/update"]);
  const reload = useReload();
  // The button of the first step that the viewer can do now stands out.
  const next = steps.find(({ state, href }) => state !== "done" && href !== null);
  const hide = async () => {
    const settings = (await api.get<SettingSection[]>("/setting/list")).flatMap((section) => section.settings);
    const version = settings.find(({ key }) => key === SETTING)?.version ?? 0;
    await api.put("/setting", { changes: [{ key: SETTING, value: false, version }] });
    await reload();
  };
  return (
    <section className="ll-card" aria-label={t("first.title")}>
      <h2 className="ll-title">{t("first.title")}</h2>
      <ol className="work-list">
        {steps.map((step, index) => {
          const { title, state, note, href } = step;
          return (
            <li key={title}>
              <span>
                {index + 1}. <b>{title}</b> {note && <span className="ll-quiet">{note}</span>}
              </span>
              {state === "done" ? (
                <Tag color="green">{t("first.done")}</Tag>
              ) : href === null ? (
                <Tag>{t("first.others")}</Tag>
              ) : (
                <a className={`ll-btn ll-btn-${step === next ? "primary" : "outline"} ll-btn-s`} href={href}>
                  {t(state === "open" ? "first.begin" : "first.continue")}
                </a>
              )}
            </li>
          );
        })}
      </ol>
      {mayHide && (
        <button type="button" className="ll-btn ll-btn-text ll-btn-s" onClick={() => void hide().catch(() => undefined)}>
          {t("first.hide")}
        </button>
      )}
    </section>
  );
}
