/**
 * Colour is never the only sign: every status also has its own glyph. Skins are data: a component
 * names a token, never a colour.
 */

export interface Style {
  readonly color?: string;
  readonly backgroundColor?: string;
  readonly bold?: boolean;
  readonly dimColor?: boolean;
  readonly inverse?: boolean;
  readonly underline?: boolean;
}

// The named colours follow the terminal's own palette, so this skin fits light and dark.
const terminal = {
  text: {},
  quiet: { dimColor: true },
  title: { bold: true },
  border: { dimColor: true },
  focus: { color: "cyan" },
  heading: { bold: true, dimColor: true },
  selected: { inverse: true },
  marked: { color: "magenta", bold: true },
  key: { color: "cyan", bold: true },
  good: { color: "green" },
  warn: { color: "yellow" },
  bad: { color: "red" },
  fault: { color: "red", underline: true },
  busy: { color: "blue" },
  link: { color: "cyan", underline: true },
  quote: { color: "black", backgroundColor: "yellow" },
  you: { color: "magenta", bold: true },
} satisfies Record<string, Style>;

/** The meaning of a piece of the screen, which a skin gives a style. */
export type Token = keyof typeof terminal;
export type Skin = Readonly<Record<Token, Style>>;

const dark: Skin = {
  ...terminal,
  quiet: { color: "#9aa5b1" },
  border: { color: "#52606d" },
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
  border: { color: "#7b8794" },
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
