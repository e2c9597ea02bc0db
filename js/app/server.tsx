/**
 * The server's entry: sets `render`, a pure and synchronous function from a page's props, as JSON
 * text, to the HTML of the inside of the root element, and `share`, which makes what pages of a role have in common.
 */

import { renderToString } from "react-dom/server.edge";
import { pages } from "virtual:pages";
import { texts } from "virtual:texts";
import type { Chart } from "../lib/api-types";
import { type App, createApp, STRANGER, type Role } from "../lib/app-context";
import { isBare } from "../lib/bare";
import { translator, type Translate } from "../lib/i18n";
import { themeCss } from "../lib/shades";
import type { PageLocation } from "../lib/router";
import type { Locale, OwnProps, PageProps, RoleData } from "../lib/types";
import { Boundary } from "../shell/boundary";
import { Framed } from "../shell/framed";
import { tableMenu } from "../shell/loads";
import { roleOf } from "../shell/role";
import { Root } from "../shell/root";
import { KeptParts } from "./kept-parts";

/** The languages that were asked for so far: each costs milliseconds of a start. */
const translators = new Map<Locale, Translate>();

function translatorOf(locale: Locale): Translate {
  const known = translators.get(locale);
  if (known) return known;
  const made = translator(texts[locale]);
  translators.set(locale, made);
  return made;
}

/** The server's request for the shades of a theme colour, made once if its settings name one. */
interface ShadesRequest {
  shadesOf: string;
}

/** A role of which the server keeps parts of pages. */
interface SharedRole extends Role {
  /** Its name among the kept parts. */
  parts?: string;
}

const parts = new KeptParts();

/** The role of pages that name its key: the server keeps it for them. */
function share(json: string): SharedRole {
  const data = JSON.parse(json) as RoleData;
  return { ...roleOf(data, translatorOf(data.locale)), parts: parts.nameRole() };
}

function render(json: string, role: SharedRole = STRANGER): string {
  const props = JSON.parse(json) as OwnProps | ShadesRequest;
  if ("shadesOf" in props) return themeCss(props.shadesOf);
  const app: App = { ...createApp(props, translatorOf(props.locale), role, tableMenu), draw: props.noPictures ? undefined : draw };
  const name = role.parts;
  if (name !== undefined) app.keep = (of, loads, make) => parts.keep(name, app, of, loads, make);
  return renderToString(<Root app={app}>{isBare(props.route) ? bareTree(props) : framedTree(app.props)}</Root>);
}

/** The page without the layout. */
function bareTree({ route }: OwnProps) {
  const Page = pages[route]!;
  return (
    <Boundary>
      <Page />
    </Boundary>
  );
}

/** A page in the layout. */
function framedTree({ route, head, url, data }: PageProps) {
  const Component = pages[route];
  if (!Component) throw new Error(`routes.json has no page named ${route}`);
  return <Framed visit={{ name: route, head, Component, data, failure: null, location: locationOf(url) }} />;
}

/** By `require`, so that its code is run for the first chart, not at start. */
declare function require(path: "../ui/draw-chart"): typeof import("../ui/draw-chart");

/** Draws a chart; if that fails, the page shows the chart's table. */
function draw(chart: Chart, isWide?: boolean): string {
  try {
    return require("../ui/draw-chart").drawChart(chart, isWide);
  } catch (error) {
    console.error(error);
    return "";
  }
}

function locationOf(url: string): PageLocation {
  const at = url.indexOf("?");
  return {
    pathname: at < 0 ? url : url.slice(0, at),
    search: at < 0 || at === url.length - 1 ? "" : url.slice(at),
    hash: "",
    state: null,
    key: "default",
  };
}

Object.assign(globalThis, { render, share });
