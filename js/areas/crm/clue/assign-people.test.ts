/// <reference types="node" />
import assert from "node:assert/strict";
import { mock, test } from "node:test";

import { api } from "../../../lib/api";
import { peopleFor } from "./assign-people";

test("the people of each organisation are listed once, whatever the others have", async () => {
  const get = mock.method(api, "get", async (_: string, { orgId }: { orgId: string }) => [{ id: Number(orgId) * 10 }]);
  const people = await peopleFor([{ orgId: 2 }, { orgId: 1 }, { orgId: 2 }]);
  assert.deepEqual(
    people.map(({ id }) => id),
    [20, 10],
  );
  assert.equal(get.mock.callCount(), 2);
});
