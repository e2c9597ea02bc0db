/** Shows the error page in place of what fails to render, until `of` is another value. */

import { Component, type ReactNode } from "react";
import { ExceptionView } from "../ui/exception-view";

interface BoundaryProps {
  of?: unknown;
  children: ReactNode;
}

interface BoundaryState {
  of: unknown;
  hasFailed: boolean;
}

export class Boundary extends Component<BoundaryProps, BoundaryState> {
  override state: BoundaryState = { of: this.props.of, hasFailed: false };

  static getDerivedStateFromError(): Partial<BoundaryState> {
    return { hasFailed: true };
  }

  static getDerivedStateFromProps({ of }: BoundaryProps, state: BoundaryState): BoundaryState | null {
    return of === state.of ? null : { of, hasFailed: false };
  }

  override render() {
    return this.state.hasFailed ? <ExceptionView status={500} /> : this.props.children;
  }
}
