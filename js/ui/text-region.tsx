/**
 * Regions of a page whose inside is HTML that React does not manage: the server writes it as it is, and the browser does not
 * hydrate it. When the HTML changes, only what differs is changed in place, so that the focus and open menus stay. Links
 * work by the listener of the document, buttons by that of the region.
 */
import { createElement, type HTMLAttributes, type RefObject, useLayoutEffect, useRef, useState } from "react";

import { morph, morphInside, parsed } from "./morph";

interface RegionProps extends Pick<HTMLAttributes<HTMLElement>, "onClick"> {
  as: "thead" | "tbody";
  /** For the owner of the region, whose layout effects run after the HTML has changed. */
  region: RefObject<HTMLElement | null>;
}

/** A region of one text. */
export function TextRegion({ as, html, region, ...attributes }: RegionProps & { html: string }) {
  const last = useRef(html);
  useLayoutEffect(() => {
    if (last.current === html) return;
    last.current = html;
    morphInside(region.current!, parsed(region.current!, html));
  }, [html, region]);
  return createElement(as, { ...attributes, ...useFirstHtml(() => html), ref: region });
}

/** One element of a region of several: its key, which is unique among them, and its HTML. */
export interface TextItem {
  key: string;
  html: string;
}

/** A region of elements with keys: the element of a key stays where its HTML changes or others come and go. */
export function TextItems({ as, items, region, ...attributes }: RegionProps & { items: readonly TextItem[] }) {
  const last = useRef(items);
  useLayoutEffect(() => {
    const parent = region.current!;
    const before = new Map(last.current.map((item, i) => [item.key, { html: item.html, element: parent.children[i]! }]));
    last.current = items;
    const elements = items.map(({ key, html }) => {
      const known = before.get(key);
      before.delete(key);
      if (known?.html === html) return known.element;
      const target = parsed(parent, html).firstElementChild!;
      if (!known) return target;
      morph(known.element, target);
      return known.element;
    });
    for (const { element } of before.values()) element.remove();
    elements.forEach((element, i) => {
      if (parent.children[i] !== element) parent.insertBefore(element, parent.children[i] ?? null);
    });
    while (parent.children.length > elements.length) parent.lastElementChild!.remove();
  }, [items, region]);
  return createElement(as, { ...attributes, ...useFirstHtml(() => items.map(({ html }) => html).join("")), ref: region });
}

/** The attributes of the HTML that the region begins with. React writes it once; effects write what comes later. */
function useFirstHtml(write: () => string) {
  const [first] = useState(() => ({ __html: write() }));
  return { dangerouslySetInnerHTML: first, suppressHydrationWarning: true };
}
