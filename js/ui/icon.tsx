/**
 * Icons, drawn on a 24 grid with a 2 px stroke in the colour of the text around them.
 *
 * They are decoration: `aria-hidden` always, so a button that shows only an icon
 * needs an `aria-label`. One path string each keeps them a few bytes on the page;
 * add one here before you draw one anywhere else.
 */
const paths = {
  gauge: "M4 18a9 9 0 1 1 16 0M12 14l4-5",
  channel: "M5 8v8M5 12h6l4-6h4M11 12l4 6h4M5 5.5v0M5 18.5v0",
  product: "M12 3l8 4.5v9L12 21l-8-4.5v-9zM4 7.5l8 4.5 8-4.5M12 12v9",
  plan: "M5 4h14v17H5zM9 2v4M15 2v4M9 11h6M9 16h4",
  org: "M4 21V6l8-3v18M12 9l8 3v9M2 21h20M8 9v0M8 13v0M8 17v0M16 14v0M16 17.5v0",
  user: "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4 21c0-4 3.6-6 8-6s8 2 8 6",
  crm: "M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2 20c0-3.5 3-5.5 7-5.5 1.5 0 2.9.3 4 .8M16 4.5a3.5 3.5 0 0 1 0 6.5M15 18l2.5 2.5L22 16",
  finance: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM8.5 8l3.5 4.5L15.5 8M12 12.5V17M9 12.5h6M9 15h6",
  pay: "M3 6h18v13H3zM3 10.5h18M7 15h4",
  chat: "M4 5h16v11h-9l-5 4v-4H4zM8.5 10.5v0M12 10.5v0M15.5 10.5v0",
  chart: "M4 4v16h16M8 16v-4M12.5 16V8M17 16v-6",
  admin: "M12 3l8 3v6c0 4.5-3.5 7.5-8 9-4.5-1.5-8-4.5-8-9V6zM9 12l2 2 4-4",
  list: "M9 6h11M9 12h11M9 18h11M4.5 6v0M4.5 12v0M4.5 18v0",
  link: "M14 4h6v6M20 4l-9 9M17 14v6H4V7h6",
  sun: "M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M18.7 5.3l-1.4 1.4M6.7 17.3l-1.4 1.4",
  moon: "M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5z",
  globe: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM3.5 9h17M3.5 15h17M12 3c5 5 5 13 0 18M12 3c-5 5-5 13 0 18",
  fullscreen: "M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5",
  menu: "M4 6h16M4 12h16M4 18h16",
  close: "M6 6l12 12M18 6L6 18",
  "chevron-down": "M6 9l6 6 6-6",
  "chevron-right": "M9 6l6 6-6 6",
  "chevron-left": "M15 6l-6 6 6 6",
  logout: "M14 4H5v16h9M10 12h11M17.5 8.5L21 12l-3.5 3.5",
  gear: "M12 15.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM12 2.5l1.2 3 2.6 1.1 3-1.3 2 2.9-2.1 2.3v3l2.1 2.3-2 2.9-3-1.3-2.6 1.1-1.2 3-1.2-3-2.6-1.1-3 1.3-2-2.9 2.1-2.3v-3L3.2 8.2l2-2.9 3 1.3 2.6-1.1z",
  bell: "M6 17V11a6 6 0 0 1 12 0v6M4 17h16M10 20.5h4",
  search: "M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13zM15.5 15.5L21 21",
  calendar: "M4 6h16v14H4zM4 10.5h16M8.5 3.5V8M15.5 3.5V8",
  filter: "M3 5h18l-7 8.5V20l-4-2v-4.5z",
  refresh: "M20 5v5h-5M4 19v-5h5M19.5 10A8 8 0 0 0 5.5 7.5M4.5 14a8 8 0 0 0 14 2.5",
  more: "M5.5 12v0M12 12v0M18.5 12v0",
  plus: "M12 5v14M5 12h14",
  minus: "M5 12h14",
  download: "M12 4v11M7 10.5l5 5 5-5M4 20h16",
  upload: "M12 15V4M7 8.5l5-5 5 5M4 20h16",
  edit: "M4 20h4L19 9l-4-4L4 16zM13 7l4 4",
  trash: "M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13M10 11v5M14 11v5",
  key: "M8 16.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9zM12.5 12H21v4M17 12v3",
  copy: "M9 9h11v11H9zM15 9V4H4v11h5",
  phone: "M5 4h4l2 5-2.5 1.5a11 11 0 0 0 5 5L15 13l5 2v4a1 1 0 0 1-1 1A15 15 0 0 1 4 5a1 1 0 0 1 1-1z",
  eye: "M2.5 12C5 7.5 8.5 5.5 12 5.5s7 2 9.5 6.5c-2.5 4.5-6 6.5-9.5 6.5S5 16.5 2.5 12zM12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6z",
  home: "M3 11l9-7 9 7M5.5 9.5V20h13V9.5M10 20v-6h4v6",
  columns: "M4 4h16v16H4zM9.5 4v16M14.5 4v16",
  density: "M4 5h16M4 10h16M4 14h16M4 19h16",
  warning: "M12 3.5L22 20.5H2zM12 10v5M12 17.5v0",
  check: "M4.5 12.5l5 5 10-11",
  info: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 11v5M12 8v0",
  pause: "M8 5v14M16 5v14",
  play: "M7 4.5v15l12-7.5z",
  history: "M4 5v4.5h4.5M4.5 9.5A8.5 8.5 0 1 1 3.5 13M12 8v4.5l3 2",
} as const;

/** The name of an icon that {@link Icon} can draw. */
export type IconName = keyof typeof paths;

/** Whether a name from data (such as the menu's) is the name of one of these icons. */
export function isIconName(name: string | null | undefined): name is IconName {
  return name != null && Object.hasOwn(paths, name);
}

/** An icon as HTML text: the menu has dozens, so plain words stand without quotes. */
export function iconHtml(name: IconName, className?: string): string {
  return `<svg class=${className ? `"${classOf(className)}"` : classOf(className)} viewBox="0 0 24 24" aria-hidden=true>${drawings[name].__html}</svg>`;
}

/** One icon, as tall as the text around it: one element to React, since a page has dozens. */
export function Icon({ name, className }: { name: IconName; className?: string }) {
  return <svg className={classOf(className)} viewBox="0 0 24 24" aria-hidden="true" dangerouslySetInnerHTML={drawings[name]} />;
}

const classOf = (own: string | undefined) => (own ? `ll-icon ${own}` : "ll-icon");

const drawings = Object.fromEntries(Object.entries(paths).map(([name, path]) => [name, { __html: `<path d="${path}"/>` }])) as Readonly<
  Record<IconName, { __html: string }>
>;
