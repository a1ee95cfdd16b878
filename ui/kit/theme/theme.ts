import { black, isDark, white, type Rgb } from "./colour.ts";
import {
  palettes,
  paletteFor,
  paletteSkin,
  skinOf16,
  themePalette,
  type FixedDepth,
  type RoleColours,
} from "./palettes.ts";
import { mono, type Skin, type Token } from "./skin.ts";

/**
 * Colours of the 256 that are readable on black and on white: they fit a terminal whose background
 * is not known. No colour of a terminal's own palette is readable in every palette.
 */
const gray = "ansi256(243)";
const blue = "ansi256(63)";
const green = "ansi256(29)";
const red = "ansi256(131)";
const magenta = "ansi256(163)";
/** Terminals of 24 bits have a readable amber; the 256 colours have none. */
const amber = "#b06000";

const neutral = {
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
} as const satisfies Skin;

/** The skins that are part of the program; the name of a theme is that of its file. */
export const skinNames = ["terminal", "dark", "light", "contrast", "mono"] as const;
export const defaultSkin = "terminal";

const themePrefix = "theme:";

/** The name of the skin that a theme file gives. */
export function themeSkin(file: string): string {
  return themePrefix + file;
}

/** True for a skin of the program and for that of a theme file, which may be gone. */
export function isSkinName(name: string): boolean {
  return skinNames.some((known) => known === name) || /^theme:[\w.-]{1,80}$/.test(name);
}

/** How many colours a terminal shows. */
export type ColourDepth = "none" | "16" | FixedDepth;

export interface Environment {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: string;
}

/** The depth that the environment promises, by the rules of the library that colours the text. */
export function colourDepthOf({ env, platform }: Environment): ColourDepth {
  const { TERM = "", COLORTERM, FORCE_COLOR, NO_COLOR = "", TERM_PROGRAM } = env;
  if (NO_COLOR !== "" || FORCE_COLOR === "0" || /^vt\d/.test(TERM)) return "none";
  if (FORCE_COLOR === "1") return "16";
  if (FORCE_COLOR === "2") return "256";
  if (FORCE_COLOR === "3" || platform === "win32" || COLORTERM === "truecolor") return "24 bits";
  if (/^(?:xterm-kitty|xterm-ghostty|wezterm)$/.test(TERM)) return "24 bits";
  if (TERM_PROGRAM === "iTerm.app") return "24 bits";
  return TERM_PROGRAM === "Apple_Terminal" || /-256(?:color)?$/i.test(TERM) ? "256" : "16";
}

/** A terminal as far as the choice of colours depends on it. */
export interface Canvas {
  readonly depth: ColourDepth;
  /** The background that the terminal has reported. */
  readonly ground: Rgb | undefined;
}

/** The skin of that name as a terminal can show it; the default one for an unknown name. */
export function skinAt(
  name: string,
  { depth, ground }: Canvas,
  themes: ReadonlyMap<string, RoleColours> = new Map(),
): Skin {
  if (depth === "none" || name === "mono") return mono;
  const isDarkByName = name === "dark" || name === "light" ? name === "dark" : undefined;
  if (depth === "16") {
    return skinOf16(isDarkByName === undefined ? ground : isDarkByName ? black : white);
  }
  const theme = themes.get(name);
  if (theme !== undefined) return paletteSkin(themePalette(theme), ground, depth);
  if (isDarkByName !== undefined) {
    const fits = ground !== undefined && isDark(ground) === isDarkByName;
    return paletteSkin(palettes[isDarkByName ? "dark" : "light"], fits ? ground : undefined, depth);
  }
  const isEnhanced = name === "contrast";
  if (ground !== undefined) return paletteSkin(paletteFor(ground, isEnhanced), ground, depth);
  if (isEnhanced) return mono;
  return depth === "256" ? { ...neutral, warn: { color: red } } : neutral;
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
      [
        "✓",
        "good",
        "succeeded stored indexed processed ready decided approved granted delivered done",
      ],
      ["✓", "quiet", "closed acknowledged"],
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
