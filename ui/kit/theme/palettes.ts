import {
  black,
  contrastOf,
  hexOf,
  isDark,
  mixed,
  nearest256,
  rgbOf,
  rgbOf256,
  textOn,
  white,
  type Rgb,
} from "./colour.ts";
import { mono, type Skin, type Style } from "./skin.ts";

/** The colours of the six roles as `#rrggbb`; texts without one have that of the terminal. */
export interface RoleColours {
  readonly text?: string | undefined;
  /** Borders, headings and what is less important. */
  readonly muted: string;
  /** The focus, keys and links. */
  readonly accent: string;
  readonly good: string;
  readonly attention: string;
  readonly danger: string;
}

type RoleStyles = Readonly<Record<keyof RoleColours, Style>>;

/** The skin whose tokens are styled by six roles. */
function skinOf(roles: RoleStyles, bars: Pick<Skin, "selected" | "quote">): Skin {
  const { text, muted, accent, good, attention, danger } = roles;
  return {
    text,
    quiet: muted,
    title: { ...text, bold: true },
    border: muted,
    focus: accent,
    heading: { ...muted, bold: true },
    ...bars,
    marked: { ...attention, bold: true },
    key: { ...accent, bold: true },
    good,
    warn: attention,
    bad: { ...danger, bold: true },
    fault: { ...danger, underline: true },
    busy: accent,
    link: { ...accent, underline: true },
    you: { ...accent, bold: true },
  };
}

export interface Palette {
  readonly colours: RoleColours;
  /** The grounds that it is made for, where that of the terminal is not known. */
  readonly grounds: readonly string[];
  /** The least contrast of a text on its ground. */
  readonly contrast: number;
}

const darkGrounds = ["#000000", "#0d1117", "#1e1e1e", "#282c34"];
const lightGrounds = ["#ffffff", "#fafafa", "#fdf6e3"];
/** The contrasts of WCAG 2.2 for texts: 1.4.3 (AA) and 1.4.6 (AAA). */
const [readable, enhanced] = [4.5, 7];

export const palettes = {
  dark: {
    colours: {
      muted: "#9aa5b1",
      accent: "#7cc4ff",
      good: "#8ddb8c",
      attention: "#f2c55c",
      danger: "#ff9d96",
    },
    grounds: darkGrounds,
    contrast: readable,
  },
  light: {
    colours: {
      muted: "#59636e",
      accent: "#0a58b5",
      good: "#1a6b2f",
      attention: "#875200",
      danger: "#b3261e",
    },
    grounds: lightGrounds,
    contrast: readable,
  },
  darkContrast: {
    colours: {
      muted: "#d5dbe1",
      accent: "#9ed0ff",
      good: "#a5f0a0",
      attention: "#ffe08a",
      danger: "#ffc1bb",
    },
    grounds: darkGrounds,
    contrast: enhanced,
  },
  lightContrast: {
    colours: {
      muted: "#363d45",
      accent: "#06408a",
      good: "#0c4a1e",
      attention: "#553200",
      danger: "#8a0f0f",
    },
    grounds: lightGrounds,
    contrast: enhanced,
  },
} as const satisfies Record<string, Palette>;

/** The depths in which a terminal draws colours alike, whatever its own palette is. */
export type FixedDepth = "256" | "24 bits";

interface Shown {
  readonly rgb: Rgb;
  /** The colour as Ink takes it. */
  readonly name: string;
}

function shownAt(rgb: Rgb, depth: FixedDepth): Shown {
  if (depth === "24 bits") {
    const name = hexOf(rgb);
    return { rgb: rgbOf(name) ?? rgb, name };
  }
  const index = nearest256(rgb);
  return { rgb: rgbOf256(index), name: `ansi256(${index})` };
}

const mixSteps = 20;

/** The colour, as much lighter or darker as the contrast on all grounds needs. */
function fitted(hex: string, grounds: readonly Rgb[], least: number, depth: FixedDepth): string {
  const ground = grounds[0] ?? black;
  const colour = rgbOf(hex) ?? textOn(ground);
  let shown = shownAt(colour, depth);
  for (let step = 1; step <= mixSteps; step += 1) {
    const { rgb } = shown;
    if (grounds.every((each) => contrastOf(rgb, each) >= least)) break;
    shown = shownAt(mixed(colour, textOn(ground), step / mixSteps), depth);
  }
  return shown.name;
}

/** A background with the text that is read best on it. */
function barOf(background: Rgb, depth: FixedDepth): Style {
  const { rgb, name } = shownAt(background, depth);
  return { color: shownAt(textOn(rgb), depth).name, backgroundColor: name };
}

const selectionShare = 0.38;

/** The skin of a palette on the ground of the terminal, if that is known. */
export function paletteSkin(
  { colours, grounds, contrast }: Palette,
  ground: Rgb | undefined,
  depth: FixedDepth,
): Skin {
  const known = grounds.map(rgbOf).filter((rgb) => rgb !== undefined);
  const on = ground === undefined ? known : [ground];
  const styleOf = (hex: string | undefined): Style =>
    hex === undefined ? {} : { color: fitted(hex, on, contrast, depth) };
  const roles = {
    text: styleOf(colours.text),
    muted: styleOf(colours.muted),
    accent: styleOf(colours.accent),
    good: styleOf(colours.good),
    attention: styleOf(colours.attention),
    danger: styleOf(colours.danger),
  };
  const base = ground ?? known.at(-1) ?? black;
  const accent = rgbOf(colours.accent) ?? white;
  const attention = rgbOf(colours.attention) ?? white;
  return skinOf(roles, {
    selected: { ...barOf(mixed(base, accent, selectionShare), depth), bold: true },
    quote: barOf(attention, depth),
  });
}

/** Colours of 16 that are readable in the palettes of xterm and of the Linux console. */
const of16 = {
  dark: skinOf(
    {
      text: {},
      muted: { color: "white" },
      accent: { color: "cyanBright" },
      good: { color: "greenBright" },
      attention: { color: "yellowBright" },
      danger: { color: "redBright" },
    },
    {
      selected: { color: "black", backgroundColor: "cyan" },
      quote: { color: "black", backgroundColor: "green" },
    },
  ),
  light: skinOf(
    {
      text: {},
      muted: {},
      accent: { color: "blue" },
      good: {},
      attention: { color: "magenta" },
      danger: { color: "red" },
    },
    {
      selected: { color: "white", backgroundColor: "blue" },
      quote: { color: "black", backgroundColor: "cyan" },
    },
  ),
} as const;

/** The skin in 16 colours, which no ground other than black or white is known to suit. */
export function skinOf16(ground: Rgb | undefined): Skin {
  if (ground === undefined) return mono;
  if (contrastOf(ground, black) < 1.2) return of16.dark;
  return contrastOf(ground, white) < 1.2 ? of16.light : mono;
}

/** The palette of these two for a ground. */
export function paletteFor(ground: Rgb, isEnhanced: boolean): Palette {
  if (isDark(ground)) return isEnhanced ? palettes.darkContrast : palettes.dark;
  return isEnhanced ? palettes.lightContrast : palettes.light;
}

/** The palette of a theme, which is meant for the ground that the terminal has. */
export function themePalette(colours: RoleColours): Palette {
  return { colours, grounds: [], contrast: readable };
}
