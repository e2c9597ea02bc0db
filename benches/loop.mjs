// The yardstick of `pages.mjs`: calls a bundle's `render` in a loop and prints CPU and wall time a page.
//
// node loop.mjs server.js props.json role.json COUNT

import { readFileSync } from "node:fs";
import vm from "node:vm";

const [bundle, propsFile, roleFile, count] = process.argv.slice(2);
vm.runInThisContext(readFileSync(bundle, "utf8"), { filename: bundle });
const props = readFileSync(propsFile, "utf8");
const role = globalThis.share(readFileSync(roleFile, "utf8"));
for (let i = 0; i < 1500; i++) globalThis.render(props, role);

const cpu = process.cpuUsage();
const began = performance.now();
let length = 0;
for (let i = 0; i < Number(count); i++) length += globalThis.render(props, role).length;
const wall = performance.now() - began;
const { user, system } = process.cpuUsage(cpu);
console.log(JSON.stringify({ cpu: (user + system) / 1000 / Number(count), wall: wall / Number(count), length: length / Number(count) }));
