/** /home: the layout alone, open to everyone. */

import { useT } from "../../lib/i18n";

export default function Home() {
  const t = useT();
  return (
    <div className="app-home">
      <h1>{t("home.hello")}</h1>
      <p>{t("home.text")}</p>
    </div>
  );
}
