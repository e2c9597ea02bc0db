/// <reference types="node" />
import assert from "node:assert/strict";
import { test } from "node:test";
import nprogress from "nprogress";
import "./progress";

// S9.03
test("the progress bar has the numbers of the specification", () => {
  const { minimum, speed, trickle, trickleRate, trickleSpeed, showSpinner } = nprogress.settings as typeof nprogress.settings & {
    trickleRate: number;
  };
  assert.deepEqual(
    { minimum, speed, trickle, trickleRate, trickleSpeed, showSpinner },
    { minimum: 0.08, speed: 200, trickle: true, trickleRate: 0.02, trickleSpeed: 800, showSpinner: false },
  );
});
