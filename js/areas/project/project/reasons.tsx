/** Why a project was returned, one reason a line. */
import type { ProjectStep } from "../../../lib/api-types";
import { useT } from "../../../lib/i18n";

/** The authorities' own pages about registering a domain. */
const REGISTRATION = "https://beian.miit.gov.cn/";

export function Reasons({ step: { reasons, note } }: { step: ProjectStep }) {
  const t = useT();
  return (
    <>
      <ul className="ll-reasons">
        {reasons.map(({ code, name }) => (
          <li key={code}>
            {code === "domain_unregistered" ? t("project.reasonSee", { name }) : name}
            {code === "domain_unregistered" && (
              <a className="ll-link" href={REGISTRATION} target="_blank" rel="noreferrer noopener">
                {t("project.registration")}
              </a>
            )}
          </li>
        ))}
      </ul>
      {note && <p className="ll-reasons-note">{t("result.note", { note })}</p>}
    </>
  );
}
