/** The link from a page to the one above it, and the way back after its work is done. */
import type { MouseEvent, ReactNode } from "react";

import { cameFrom } from "../lib/came-from";
import { useLocation, useNavigate } from "../lib/visit";
import { Icon } from "./icon";

/** Opens `href`: by a step back if the viewer came from there, which keeps that page as it was. */
export function useGoBack(href: string): () => Promise<void> {
  const { state } = useLocation();
  const navigate = useNavigate();
  return () => (cameFrom(state) === href ? navigate(-1) : navigate(href));
}

interface BackLinkProps {
  href: string;
  /** Absent: the link of a page's head. */
  className?: string;
  children: ReactNode;
}

export function BackLink({ href, className, children }: BackLinkProps) {
  const { state } = useLocation();
  const goBack = useGoBack(href);
  const back = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || cameFrom(state) !== href) return;
    event.preventDefault();
    void goBack();
  };
  return (
    <a className={className ?? "ll-back"} href={href} onClick={back}>
      {className === undefined && <Icon name="chevron-left" />}
      {children}
    </a>
  );
}
