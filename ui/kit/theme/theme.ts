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
/** Only terminals of 24 bits have a readable amber. */
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
  quote: { color: "ansi256(16)", backgroundColor: "ansi256(221)" },
  you: { color: magenta, bold: true },
} satisfies Record<string, Style>;

/** The meaning of a piece of the screen, which a skin gives a style. */
export type Token = keyof typeof terminal;
export type Skin = Readonly<Record<Token, Style>>;

const dark: Skin = {
  ...terminal,
  quiet: { color: "ansi256(248)" },
  border: { color: "ansi256(246)" },
  focus: { color: "ansi256(117)" },
  heading: { color: "ansi256(252)", bold: true },
  selected: { color: "ansi256(231)", backgroundColor: "ansi256(24)", bold: true },
  key: { color: "ansi256(117)", bold: true },
  good: { color: "ansi256(120)" },
  warn: { color: "ansi256(222)" },
  bad: { color: "ansi256(217)" },
  fault: { color: "ansi256(217)", underline: true },
  busy: { color: "ansi256(111)" },
  link: { color: "ansi256(117)", underline: true },
  quote: { color: "ansi256(235)", backgroundColor: "ansi256(222)" },
  marked: { color: "ansi256(219)", bold: true },
  you: { color: "ansi256(219)", bold: true },
};

const light: Skin = {
  ...terminal,
  quiet: { color: "ansi256(240)" },
  border: { color: "ansi256(241)" },
  focus: { color: "ansi256(24)" },
  heading: { color: "ansi256(237)", bold: true },
  selected: { color: "ansi256(17)", backgroundColor: "ansi256(153)", bold: true },
  key: { color: "ansi256(24)", bold: true },
  good: { color: "ansi256(22)" },
  warn: { color: "ansi256(94)" },
  bad: { color: "ansi256(124)" },
  fault: { color: "ansi256(124)", underline: true },
  busy: { color: "ansi256(26)" },
  link: { color: "ansi256(24)", underline: true },
  quote: { color: "ansi256(235)", backgroundColor: "ansi256(221)" },
  marked: { color: "ansi256(90)", bold: true },
  you: { color: "ansi256(90)", bold: true },
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

/** How many colours a terminal shows. */
export type ColourDepth = "16" | "256" | "24 bits";

export interface Environment {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: string;
}

/** The depth that the environment promises, by the rules of the library that colours the text. */
export function colourDepthOf({ env, platform }: Environment): ColourDepth {
  const { TERM = "", COLORTERM, FORCE_COLOR, TERM_PROGRAM } = env;
  if (FORCE_COLOR === "1") return "16";
  if (FORCE_COLOR === "2") return "256";
  if (FORCE_COLOR === "3" || platform === "win32" || COLORTERM === "truecolor") return "24 bits";
  if (/^(?:xterm-kitty|xterm-ghostty|wezterm)$/.test(TERM)) return "24 bits";
  if (TERM_PROGRAM === "iTerm.app") return "24 bits";
  return TERM_PROGRAM === "Apple_Terminal" || /-256(?:color)?$/i.test(TERM) ? "256" : "16";
}

const of256: Readonly<Record<SkinName, Skin>> = {
  ...skins,
  terminal: { ...terminal, warn: { color: red } },
};

/**
 * The skin as a terminal of this depth can show it. The 16 colours of a terminal's own palette have
 * no contrast that is known, so such a terminal gets none.
 */
export function skinAt(name: SkinName, depth: ColourDepth): Skin {
  if (depth === "16") return mono;
  return depth === "256" ? of256[name] : skins[name];
}

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
      ["◌", "warn", "invited waiting slow operator_required"],
      ["·", "quiet", "pending"],
      ["●", "busy", "open"],
      ["●", "good", "active ok live available"],
      ["▶", "busy", "running processing consulting"],
      ["✓", "good", "succeeded stored indexed processed ready decided approved granted"],
      ["✓", "quiet", "closed"],
      ["!", "warn", "completed_with_errors"],
      ["✗", "bad", "failed refused rejected down offline blocked"],
      ["⊘", "quiet", "cancelled withdrawn revoked disabled"],
      ["‖", "warn", "interrupted suspended rate_limited"],
      ["▲", "warn", "expired degraded stale paid_upgrade_required"],
      ["–", "quiet", "skipped unsupported"],
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

/** A status such as `completed_with_errors` for a reader. */
export function statusWords(status: string): string {
  return status.replaceAll("_", " ");
}
