/** Three slogans that take turns by CSS alone: they pause under the pointer, and do not move for users who want less motion. */

import { useT } from "../../lib/i18n";
import { Brand } from "../../shell/brand";

const SLOGANS = [1, 2, 3] as const;

export function Banner() {
  const t = useT();
  return (
    <section className="app-banner" aria-label={t("login.banner")}>
      <Brand />
      <ul className="app-slogans">
        {SLOGANS.map((number) => (
          <li key={number}>
            <strong>{t(`login.slogan${number}`)}</strong>
            <span>{t(`login.slogan${number}Text`)}</span>
          </li>
        ))}
      </ul>
      <Lanes />
    </section>
  );
}

/** Leads on their lanes: from many sources, over one point, to many takers. */
function Lanes() {
  return (
    <svg className="app-lanes" viewBox="0 0 400 220" aria-hidden="true">
      <path d="M0 20c120 0 130 90 200 90M0 80c100 0 130 30 200 30M0 140c100 0 130-30 200-30M0 200c120 0 130-90 200-90" />
      <path d="M200 110c70 0 80-80 200-80M200 110c70 0 100 0 200 0M200 110c70 0 80 80 200 80" />
      <g>
        <circle cx="65" cy="31.2" r="4" />
        <circle cx="84" cy="88.5" r="4" />
        <circle cx="47.8" cy="137.4" r="4" />
        <circle cx="90.9" cy="175.9" r="4" />
        <circle cx="281.2" cy="70" r="4" />
        <circle cx="306.6" cy="110" r="4" />
        <circle cx="289.3" cy="156" r="4" />
      </g>
      <circle className="app-lanes-hub" cx="200" cy="110" r="16" />
      <circle className="app-lanes-ring" cx="200" cy="110" r="28" />
    </svg>
  );
}
