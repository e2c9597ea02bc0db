/** Wraps a page without the layout, on both sides: shows the error page instead when the page's code fails. */

import { Component, type ReactNode } from "react";
import { ExceptionView } from "../ui/exception-view";

interface BareProps {
  children: ReactNode;
}

export class Bare extends Component<BareProps, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override render() {
    return this.state.hasFailed ? <ExceptionView status={500} /> : this.props.children;
  }
}
