/** The link from a page to the one above it, and the way back after its work is done. */
import type { MouseEvent, ReactNode } from "react";

import { cameFrom } from "../lib/came-from";
import { useLocation, useNavigate } from "../lib/visit";
import { Icon } from "./icon";

/** The way back from a page whose work is done: to the page that led here, as it was; else to `href`. */
export function useGoBack(href: string): () => Promise<void> {
  const { state } = useLocation();
  const navigate = useNavigate();
  return () => (cameFrom(state) === null ? navigate(href) : navigate(-1));
}

interface BackLinkProps {
  href: string;
  children: ReactNode;
}

/** The link to the page above: goes back if the viewer came from there, which keeps that page as it was. */
export function BackLink({ href, children }: BackLinkProps) {
  const { state } = useLocation();
  const navigate = useNavigate();
  const back = (event: MouseEvent) => {
    if (isOpenedElsewhere(event) || cameFrom(state) !== href) return;
    event.preventDefault();
    void navigate(-1);
  };
  return (
    <a className="ll-back" href={href} onClick={back}>
      <Icon name="chevron-left" />
      {children}
    </a>
  );
}

/** Whether a click on a link opens another tab or window. */
export const isOpenedElsewhere = ({ metaKey, ctrlKey, shiftKey, altKey }: MouseEvent) => metaKey || ctrlKey || shiftKey || altKey;
