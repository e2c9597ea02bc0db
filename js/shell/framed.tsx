/** A page in the layout, on both sides: at the address of the request, and where the router goes from there. */

import { startTransition, useLayoutEffect, useMemo, useState } from "react";
import type { PageLocation, Router, Visit } from "../lib/router";
import { NextContext, RouterContext, VisitContext } from "../lib/visit";
import { ExceptionView } from "../ui/exception-view";
import { Boundary } from "./boundary";
import { Layout } from "./layout";

interface FramedProps {
  visit: Visit;
  next?: PageLocation | null;
  router?: Router | null;
}

export function Framed({ visit, next = null, router = null }: FramedProps) {
  const framed = useMemo(() => {
    const { Component, failure } = visit;
    return (
      <Layout>
        <Boundary of={visit}>{failure === null ? <Component /> : <ExceptionView status={failure} />}</Boundary>
      </Layout>
    );
  }, [visit]);
  return (
    <Boundary>
      <RouterContext value={router}>
        <NextContext value={next}>
          <VisitContext value={visit}>{framed}</VisitContext>
        </NextContext>
      </RouterContext>
    </Boundary>
  );
}

/** The page that a router shows. */
export function Routed({ router }: { router: Router }) {
  const [state, setState] = useState(router.state);
  useLayoutEffect(() => {
    const stop = router.subscribe((next) => startTransition(() => setState(next)));
    // A page may have been opened while this one was hydrated.
    setState(router.state());
    return stop;
  }, [router]);
  return <Framed visit={state.visit} next={state.next} router={router} />;
}
