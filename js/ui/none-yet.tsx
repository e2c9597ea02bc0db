/** Below a select without choices: that there is no such record yet, and the button that makes one. A lazy chunk. */
import { type SyntheticEvent, useContext, useMemo, useState } from "react";

import { AppContext } from "../lib/app-context";
import { type Messages, type Translate, translator, useT } from "../lib/i18n";
import { useHasPoint } from "../lib/permissions";
import { useReload } from "../lib/props";
import { loadSite } from "../lib/site";
import { useAct } from "./act";
import { Button } from "./button";
import type { Choice } from "./form";
import type { NewRecord } from "./new-record";
import { useOverlay } from "./overlay";

interface NoneYetProps {
  create: NewRecord;
  /** The value that the choices depend on. */
  parent?: string | undefined;
  onMade: (choice: Choice) => void;
}

/** Looks texts up in those of another area first. */
function translatorOver(texts: Partial<Messages>, below: Translate): Translate {
  const above = translator(texts as Messages);
  return (key, params) => (key in texts ? above(key, params) : below(key, params));
}

/** Keeps what happens in the form of the new record from the form below it. */
const stop = (event: SyntheticEvent) => event.stopPropagation();

export default function NoneYet({ create, parent, onMade }: NoneYetProps) {
  const t = useT();
  const may = useHasPoint([create.point]);
  const reload = useReload();
  const [overlays, open] = useOverlay();
  const [act, opening] = useAct(reload, open);
  const [isMade, setIsMade] = useState(false);
  const app = useContext(AppContext);
  /** The texts of the area of the record. */
  const [texts, setTexts] = useState<Partial<Messages>>({});
  const make = async () => {
    const its = await (await loadSite()).textsOf(create.route, app.props.locale);
    setTexts(its);
    const choice = await create.make(opening, translatorOver(its, t), parent);
    if (!choice) return;
    setIsMade(true);
    onMade(choice);
    // The page's own choices have none yet: a form that opens later would offer to make one again.
    await reload();
  };
  const inside = useMemo(() => ({ ...app, t: translatorOver(texts, app.t) }), [app, texts]);
  return (
    <>
      {!isMade && (
        <p className="ll-hint">
          {t(create.none)}{" "}
          {may ? (
            <Button look="text" small icon="plus" onClick={() => act("make", make)}>
              {t("ui.newOne")}
            </Button>
          ) : (
            t("ui.newByOthers")
          )}
        </p>
      )}
      <div role="presentation" onSubmit={stop} onKeyDown={stop}>
        <AppContext value={inside}>{overlays}</AppContext>
      </div>
    </>
  );
}
