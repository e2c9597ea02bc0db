/**
 * The ten shades of a theme colour, by Arco Design's palette rules, and the style sheet made of them.
 * The server computes them once at start, the settings drawer for every colour that is tried.
 */

interface Hsv {
  /** Degrees. */
  h: number;
  /** Percent, as is `v`. */
  s: number;
  v: number;
}

type Rgb = readonly [number, number, number];

const HEX = /^#[0-9a-f]{6}$/i;
const INDEXES = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] as const;
/** Contrast that text needs with its ground (WCAG 2.1, AA). */
const READABLE = 4.5;
/** The grounds that text in the theme colour stands on, apart from the palest shade. */
const GROUNDS = { light: ["#ffffff", "#f2f3f5"], dark: ["#2a2a2b", "#17171a"] } as const;

/** Whether a text is a colour as the settings have it: `#165DFF`. */
export function isColor(text: string): boolean {
  return HEX.test(text);
}

/** Shades 1 (palest; in the dark theme deepest) to 10 of a colour, as `#rrggbb`; the sixth is the colour itself. */
export function shades(color: string, isDark = false): string[] {
  return INDEXES.map((index) => (isDark ? darkShade(color, index) : lightShade(color, index)));
}

/** The rules that put a colour's shades in the place of the product's own, for both themes. */
export function themeCss(color: string): string {
  return `:root{${variables(color, false)}}:root[data-theme="dark"]{${variables(color, true)}}`;
}

function variables(color: string, isDark: boolean): string {
  const list = shades(color, isDark);
  const grounds = [...(isDark ? GROUNDS.dark : GROUNDS.light), list[0]!];
  const accent = list.slice(5).find((shade) => grounds.every((ground) => contrast(shade, ground) >= READABLE)) ?? list[9]!;
  const onPrimary = contrast("#ffffff", list[5]!) >= READABLE ? "#ffffff" : "#000000";
  return [...list.map((shade, i) => `--primary-${i + 1}:${shade}`), `--color-accent:${accent}`, `--color-on-primary:${onPrimary}`].join(
    ";",
  );
}

/** How well two colours can be told apart, 1 to 21. */
export function contrast(one: string, other: string): number {
  const [pale = 0, deep = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (pale + 0.05) / (deep + 0.05);
}

function luminance(color: string): number {
  const [r = 0, g = 0, b = 0] = toRgb(color).map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** Paler and deeper steps: hue turns two degrees a step, saturation and value go to their ends. */
function lightShade(color: string, index: number): string {
  if (index === 6) return color.toLowerCase();
  const { h, s, v } = toHsv(color);
  const isPale = index < 6;
  const step = isPale ? 6 - index : index - 6;
  const turn = (h >= 60 && h <= 240) === isPale ? -2 * step : 2 * step;
  return toHex({
    h: Math.round((h + turn + 360) % 360),
    s: isPale ? (s <= 9 ? s : s - ((s - 9) / 5) * step) : s + ((100 - s) / 4) * step,
    v: isPale ? v + ((100 - v) / 5) * step : v <= 30 ? v : v - ((v - 30) / 4) * step,
  });
}

/** The light shades in reverse, less saturated from the middle on. */
function darkShade(color: string, index: number): string {
  const { h, s } = toHsv(color);
  const middle = percent(h >= 50 && h < 191 ? s - 20 : s - 15);
  const step = index < 6 ? Math.ceil((100 - middle) / 5) : -Math.ceil((middle - 9) / 4);
  const light = toHsv(lightShade(color, 11 - index));
  return toHex({ ...light, s: middle + (index < 6 ? (6 - index) * step : (index - 6) * step) });
}

function toRgb(color: string): Rgb {
  const number = Number.parseInt(color.slice(1), 16);
  return [(number >> 16) & 255, (number >> 8) & 255, number & 255];
}

function toHsv(color: string): Hsv {
  const [r, g, b] = toRgb(color).map((part) => part / 255) as unknown as Rgb;
  const v = Math.max(r, g, b);
  const range = v - Math.min(r, g, b);
  let h = 0;
  if (range > 0) {
    if (v === r) h = ((g - b) / range) % 6;
    else if (v === g) h = (b - r) / range + 2;
    else h = (r - g) / range + 4;
  }
  return { h: (h * 60 + 360) % 360, s: v === 0 ? 0 : (range / v) * 100, v: v * 100 };
}

function toHex({ h, s, v }: Hsv): string {
  const [share, value] = [percent(s) / 100, percent(v) / 100];
  const part = (shift: number) => {
    const k = (shift + h / 60) % 6;
    return Math.round(255 * (value - value * share * Math.max(0, Math.min(k, 4 - k, 1))));
  };
  return `#${[part(5), part(3), part(1)].map((n) => n.toString(16).padStart(2, "0")).join("")}`;
}

function percent(value: number): number {
  return Math.max(0, Math.min(100, value));
}
