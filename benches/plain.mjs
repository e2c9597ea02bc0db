// The yardstick of the render: a page's HTML from plain React components (plain-page.mjs), rendered in a loop as loop.mjs does
// with our bundle, by the same version of React.
//
// node plain.mjs page.html COUNT

import { readFileSync } from "node:fs";
import { plainPage } from "./plain-page.mjs";

const [file, count] = process.argv.slice(2);
const html = readFileSync(file, "utf8");
const render = plainPage(html);
for (let i = 0; i < 1500; i++) render();

const cpu = process.cpuUsage();
let length = 0;
for (let i = 0; i < Number(count); i++) length += render().length;
const { user, system } = process.cpuUsage(cpu);
console.log(JSON.stringify({ cpu: (user + system) / 1000 / Number(count), length: length / Number(count), of: html.length }));
