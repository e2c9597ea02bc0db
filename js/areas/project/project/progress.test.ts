/// <reference types="node" />
import assert from "node:assert/strict";
import { test } from "node:test";

import type { ProjectStage, ProjectStatus } from "../../../lib/api-types";
import { projectStageCodes } from "../../../lib/codes";
import { stateOf } from "./progress";

const states = (status: ProjectStatus, stage: ProjectStage) => projectStageCodes.map((step) => stateOf(step, { status, stage })).join(" ");

// S2.25 S4.09
test("what is before the step is done, what is after it waits", () => {
  assert.equal(states("submitted", "review"), "done processing waiting waiting waiting");
  assert.equal(states("submitted", "launch"), "done done done done processing");
  assert.equal(states("launched", "launch"), "done done done done done");
  assert.equal(states("draft", "application"), "processing waiting waiting waiting waiting");
});

test("what came back begins again, and what was given up goes nowhere", () => {
  assert.equal(states("returned", "application"), "wrong waiting waiting waiting waiting");
  assert.equal(states("withdrawn", "certificate"), "done done stopped waiting waiting");
});
