/** Where short messages go under the current settings: to a provider, or nowhere. */
import type { SmsRoute } from "../../../lib/api-types";
import { type Translate, useT } from "../../../lib/i18n";
import { IfPoint } from "../../../lib/permissions";
import { useLoaded } from "../../../lib/props";
import { Icon } from "../../../ui/icon";

/** The route as a sentence. */
export function routeText(t: Translate, { way, host, keyMissing }: SmsRoute): string {
  if (way !== "provider") return t(`sms.route.${way}`);
  return t(keyMissing ? "sms.route.keyMissing" : "sms.route.provider", { host: host ?? "" });
}

/** The sentence over the list; a warning if messages do not reach their recipients, or reach too many. */
export function SmsRouteNote() {
  const t = useT();
  const route = useLoaded<SmsRoute>("route");
  if (!route) return null;
  const reaches = route.way === "provider" && !route.keyMissing;
  return (
    <p className={`ll-alert ${reaches ? "ll-alert-success" : "ll-alert-warning"}`}>
      <Icon name={reaches ? "check" : "warning"} />
      <span>
        {routeText(t, route)}{" "}
        <IfPoint any={["admin/setting/list"]}>
          <a className="ll-link" href="/admin/setting#set-sms">
            {t("sms.toSettings")}
          </a>
        </IfPoint>
      </span>
    </p>
  );
}
