/** The refusal above a form, with the address of what lifts it if it names one. */
import { useT } from "../lib/i18n";
import { Icon } from "./icon";

export function FormRefusal({ text, cure }: { text: string; cure?: string | undefined }) {
  const t = useT();
  if (!text) return null;
  return (
    <p className="ll-alert ll-alert-error" role="alert">
      <Icon name="warning" />
      {text}
      {cure && (
        <>
          {" "}
          <a className="ll-link underline" href={cure}>
            {t("ui.lookAt")}
          </a>
        </>
      )}
    </p>
  );
}
