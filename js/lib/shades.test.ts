import assert from "node:assert/strict";
import { test } from "node:test";

import { contrast, isColor, shades, themeCss } from "./shades";

/** Colours with what `@arco-design/color` makes of them, light and dark. */
const KNOWN = [
  [
    "#165DFF",
    "#e8f3ff #bedaff #94bfff #6aa1ff #4080ff #165dff #0e42d2 #072ca6 #031a79 #000d4d",
    "#000d4d #041b79 #0e32a6 #1d4dd2 #306fff #3c7eff #689fff #93beff #bedaff #eaf4ff",
  ],
  [
    "#F53F3F",
    "#ffece8 #fdcdc5 #fbaca3 #f98981 #f76560 #f53f3f #cb272d #a1151e #770813 #4d000a",
    "#4d000a #770611 #a1161f #cb2e34 #f54e4e #f76965 #f98d86 #fbb0a7 #fdd1ca #fff0ec",
  ],
  [
    "#FF7D00",
    "#fff7e8 #ffe4ba #ffcf8b #ffb65d #ff9a2e #ff7d00 #d25f00 #a64500 #792e00 #4d1b00",
    "#4d1b00 #793004 #a64b0a #d26913 #ff8d1f #ff9626 #ffb357 #ffcd87 #ffe3b8 #fff7e8",
  ],
  [
    "#00B42A",
    "#e8ffea #aff0b5 #7be188 #4cd263 #23c343 #00b42a #009a29 #008026 #006622 #004d1c",
    "#004d1c #046625 #0a802d #129a37 #1db440 #27c346 #50d266 #7ee18b #b2f0b7 #ebffec",
  ],
  [
    "#FADC19",
    "#feffe8 #fefebe #fdfa94 #fcf26b #fbe842 #fadc19 #cfaf0f #a38408 #785d03 #4d3800",
    "#4d3800 #785e07 #a38614 #cfb325 #fae13c #fbe94b #fcf374 #fdfa9d #fefec6 #fefff0",
  ],
  [
    "#808080",
    "#ffffff #e6e6e6 #cccccc #b3b3b3 #999999 #808080 #735657 #663337 #59161d #4d000a",
    "#4d000a #591219 #66292e #734547 #806666 #999999 #b3afaf #ccc4c4 #e6d8d8 #ffebeb",
  ],
] as const;

// S9.02
test("a colour has the ten shades that Arco Design gives it", () => {
  for (const [color, light, dark] of KNOWN) {
    assert.equal(shades(color).join(" "), light);
    assert.equal(shades(color, true).join(" "), dark);
  }
});

test("whatever the colour, what is written in it and on it can be read", () => {
  for (const color of [...KNOWN.map(([known]) => known), "#ffffff", "#000000", "#ffff00"]) {
    for (const rules of themeCss(color).split("}").slice(0, 2)) {
      const value = (name: string) => new RegExp(`${name}:(#[0-9a-f]{6})`).exec(rules)?.[1] ?? assert.fail(name);
      assert.ok(contrast(value("--color-on-primary"), value("--primary-6")) >= 4.5, `on ${color}`);
      assert.ok(contrast(value("--color-accent"), rules.includes("dark") ? "#232324" : "#ffffff") >= 4.5, `${color} on the page: ${rules}`);
    }
  }
});

test("only a whole colour is one", () => {
  assert.ok(isColor("#165DFF"));
  for (const text of ["#fff", "165DFF", "#165DFG", "#165DFF;}", "red", ""]) assert.ok(!isColor(text), text);
});
