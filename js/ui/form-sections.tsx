/** The sections of a form that is a page: a card for each, below the card with the title. */
import type { ReactNode } from "react";
import type { UseFormReturn } from "react-hook-form";

import { useT } from "../lib/i18n";
import type { FormField, FormSection, Inputs } from "./form";
import { FormControl } from "./form-controls";

interface FormSectionsProps {
  /** The card above the sections. */
  head: ReactNode;
  sections: readonly FormSection[];
  /** A field as it is shown now; null if it is not shown. */
  shown: (field: FormField) => FormField | null;
  form: UseFormReturn<Inputs>;
  onBusy: (field: string, busy: boolean) => void;
  isReady: boolean;
}

/** The id of a section, for the index of the form. */
export const sectionId = (index: number) => `section-${index + 1}`;

export function FormSections({ head, sections, shown, form, onBusy, isReady }: FormSectionsProps) {
  const t = useT();
  return (
    // Before hydration, typed text would be lost.
    <fieldset className="ll-form-sections" disabled={!isReady}>
      <div className="ll-card">
        {head}
        <noscript>
          <p className="ll-alert ll-alert-info">{t("ui.formNeedsScripts")}</p>
        </noscript>
      </div>
      {sections.map((section, index) => (
        <section key={section.title} id={sectionId(index)} tabIndex={-1} className="ll-card" aria-label={t(section.title)}>
          <h2 className="ll-form-section-title">{t(section.title)}</h2>
          <div className="ll-fields ll-fields-wide">
            {section.fields.map((each) => {
              const field = shown(each);
              return field && <FormControl key={field.name} field={field} form={form} onBusy={onBusy} />;
            })}
          </div>
        </section>
      ))}
    </fieldset>
  );
}
