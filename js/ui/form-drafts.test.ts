/** Every dialog of a form in which people write keeps a draft. */
/// <reference types="node" />
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

/** From js/node_modules/.tests/ui, where the compiled test is. */
const JS = join(import.meta.dirname, "../../..");

/** Dialogs without a draft: nothing is written in them. The list may only get shorter. */
const CHOICES_ALONE: Readonly<Record<string, string>> = {
  "areas/admin/role/form.tsx": "which standard roles are added",
  "areas/admin/sms/form.tsx": "the phone of a test message",
  "areas/channel/channel/form.tsx": "how long the old secret works",
  "areas/chat/conversation/forms.tsx": "until when a conversation is put off",
  "areas/org/org/signing.tsx": "how long the old secret works",
  "ui/another-payment.tsx": "whether it is a different payment",
};

test("a form in a dialog names its draft, unless nothing is written in it", () => {
  const without: Record<string, number> = {};
  let dialogs = 0;
  const files = ["areas", "shell", "ui"].flatMap((folder) =>
    readdirSync(join(JS, folder), { recursive: true, encoding: "utf8" }).map((name) => join(folder, name)),
  );
  for (const name of files) {
    if (!name.endsWith(".tsx") || name.endsWith(".test.tsx")) continue;
    for (const element of readFileSync(join(JS, name), "utf8").split("<FormDialog").slice(1)) {
      dialogs += 1;
      if (!/^[^]*?(?:\bdraft=|\bsave=)/.exec(element)?.[0].endsWith("draft=")) without[name] = (without[name] ?? 0) + 1;
    }
  }
  assert.ok(dialogs > 60, "the dialogs are found");
  assert.deepEqual(without, Object.fromEntries(Object.keys(CHOICES_ALONE).map((name) => [name, 1])));
});
