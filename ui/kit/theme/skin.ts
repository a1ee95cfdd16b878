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

/** A skin of no colour, for a terminal that has none or whose colours are not known. */
export const mono = {
  text: {},
  quiet: {},
  title: { bold: true },
  border: {},
  focus: { bold: true },
  heading: { bold: true },
  selected: { inverse: true },
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
} satisfies Record<string, Style>;

/** The meaning of a piece of the screen, which a skin gives a style. */
export type Token = keyof typeof mono;
export type Skin = Readonly<Record<Token, Style>>;
