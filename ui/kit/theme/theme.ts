/**
 * Colour is never the only sign: every status also has its own glyph. Skins are data: a component
 * names a token, never a colour.
 */

export interface Style {
  readonly color?: string;
  readonly backgroundColor?: string;
  readonly bold?: boolean;
  readonly inverse?: boolean;
  readonly underline?: boolean;
}

/**
 * Colours of the 256 that are readable on black and on white: they fit a terminal whose background
 * is not known. No colour of a terminal's own palette is readable in every palette.
 */
const gray = "ansi256(243)";
const blue = "ansi256(63)";
const green = "ansi256(29)";
const red = "ansi256(131)";
const magenta = "ansi256(163)";
const amber = "#b06000";

const terminal = {
  text: {},
  quiet: { color: gray },
  title: { bold: true },
  border: { color: gray },
  focus: { color: blue },
  heading: { color: gray, bold: true },
  selected: { inverse: true },
  marked: { color: magenta, bold: true },
  key: { color: blue, bold: true },
  good: { color: green },
  warn: { color: amber },
  bad: { color: red, bold: true },
  fault: { color: red, underline: true },
  busy: { color: blue },
  link: { color: blue, underline: true },
  quote: { color: "#000000", backgroundColor: "#ffd75f" },
  you: { color: magenta, bold: true },
} satisfies Record<string, Style>;

/** The meaning of a piece of the screen, which a skin gives a style. */
export type Token = keyof typeof terminal;
export type Skin = Readonly<Record<Token, Style>>;

const dark: Skin = {
  ...terminal,
  quiet: { color: "#9aa5b1" },
  border: { color: "#8b96a3" },
  focus: { color: "#7dd3fc" },
  heading: { color: "#cbd2d9", bold: true },
  selected: { color: "#ffffff", backgroundColor: "#1e4b6b", bold: true },
  key: { color: "#7dd3fc", bold: true },
  good: { color: "#86efac" },
  warn: { color: "#fde68a" },
  bad: { color: "#fca5a5" },
  fault: { color: "#fca5a5", underline: true },
  busy: { color: "#93c5fd" },
  link: { color: "#7dd3fc", underline: true },
  quote: { color: "#1f2933", backgroundColor: "#fde68a" },
  marked: { color: "#f0abfc", bold: true },
  you: { color: "#f0abfc", bold: true },
};

const light: Skin = {
  ...terminal,
  quiet: { color: "#52606d" },
  border: { color: "#5f6b78" },
  focus: { color: "#075985" },
  heading: { color: "#323f4b", bold: true },
  selected: { color: "#102a43", backgroundColor: "#bae6fd", bold: true },
  key: { color: "#075985", bold: true },
  good: { color: "#166534" },
  warn: { color: "#854d0e" },
  bad: { color: "#b91c1c" },
  fault: { color: "#b91c1c", underline: true },
  busy: { color: "#1d4ed8" },
  link: { color: "#075985", underline: true },
  quote: { color: "#102a43", backgroundColor: "#fde047" },
  marked: { color: "#86198f", bold: true },
  you: { color: "#86198f", bold: true },
};

const mono: Skin = {
  ...terminal,
  quiet: {},
  border: {},
  heading: { bold: true },
  focus: { bold: true },
  marked: { bold: true, underline: true },
  key: { bold: true },
  good: {},
  warn: { bold: true },
  bad: { bold: true, underline: true },
  fault: { underline: true },
  busy: {},
  link: { underline: true },
  quote: { inverse: true },
  you: { bold: true },
};

/**
 * The backgrounds that each skin is made for: texts have a contrast of at least 4.5 to 1 on them
 * (WCAG 2.2, 1.4.3).
 */
export const grounds = {
  terminal: ["#000000", "#ffffff"],
  dark: ["#000000", "#0d1117", "#1e1e1e", "#282c34"],
  light: ["#ffffff", "#fafafa", "#fdf6e3"],
  mono: ["#000000", "#ffffff"],
} as const;

export const skins = { terminal, dark, light, mono } as const satisfies Record<string, Skin>;
export type SkinName = keyof typeof skins;
export const skinNames: readonly SkinName[] = ["terminal", "dark", "light", "mono"];

/** The skin of that name; `terminal` for an unknown one. */
export function skinNamed(name: string | undefined): SkinName {
  return skinNames.find((known) => known === name) ?? "terminal";
}

export interface StatusLook {
  readonly glyph: string;
  readonly token: Token;
}

const statusLooks: ReadonlyMap<string, StatusLook> = new Map(
  (
    [
      ["◌", "quiet", "queued new draft received connecting"],
      ["◌", "warn", "invited waiting slow"],
      ["·", "quiet", "pending"],
      ["●", "busy", "open"],
      ["●", "good", "active ok live"],
      ["▶", "busy", "running processing consulting"],
      ["✓", "good", "succeeded stored indexed processed ready decided approved granted"],
      ["✓", "quiet", "closed"],
      ["!", "warn", "completed_with_errors"],
      ["✗", "bad", "failed refused rejected down offline"],
      ["⊘", "quiet", "cancelled withdrawn"],
      ["‖", "warn", "interrupted suspended"],
      ["▲", "warn", "expired degraded stale"],
      ["–", "quiet", "skipped"],
    ] as const
  ).flatMap(([glyph, token, statuses]) =>
    statuses.split(" ").map((status): [string, StatusLook] => [status, { glyph, token }]),
  ),
);

export function statusLook(status: string): StatusLook {
  return statusLooks.get(status) ?? { glyph: "•", token: "text" };
}

/** Names of properties whose values are drawn as statuses. */
const statusNames = new Set(["status", "state", "stage", "decision"]);

export function isStatusName(name: string): boolean {
  return statusNames.has(name);
}

/** `completed_with_errors` for a reader. */
export function statusWords(status: string): string {
  return status.replaceAll("_", " ");
}
