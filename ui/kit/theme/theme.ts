import { ownMember } from "#lib/own-member.ts";

/**
 * Colour means something and is never the only sign: every status has a glyph of its own.
 * Skins are data; a component names a token, never a colour.
 */

export interface Style {
  readonly color?: string;
  readonly backgroundColor?: string;
  readonly bold?: boolean;
  readonly dimColor?: boolean;
  readonly inverse?: boolean;
  readonly underline?: boolean;
}

/** What a piece of the screen is, as far as looks go. */
export const tokens = [
  "text",
  "quiet",
  "title",
  "border",
  "focus",
  "heading",
  "selected",
  "marked",
  "key",
  "good",
  "warn",
  "bad",
  "fault",
  "busy",
  "link",
  "quote",
  "you",
] as const;
export type Token = (typeof tokens)[number];
export type Skin = Readonly<Record<Token, Style>>;

// The sixteen named colours follow the terminal's own palette, so this skin fits light and dark.
const terminal: Skin = {
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
};

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

/** The skin of that name, or the one that follows the terminal's palette. */
export function skinNamed(name: string | undefined): SkinName {
  return name !== undefined && Object.hasOwn(skins, name) ? (name as SkinName) : "terminal";
}

export interface StatusLook {
  readonly glyph: string;
  readonly token: Token;
}

/** Statuses of jobs, stages, documents, components and connections, in one vocabulary. */
const statusLooks: Readonly<Record<string, StatusLook>> = {
  queued: { glyph: "◌", token: "quiet" },
  pending: { glyph: "·", token: "quiet" },
  running: { glyph: "▶", token: "busy" },
  processing: { glyph: "▶", token: "busy" },
  succeeded: { glyph: "✓", token: "good" },
  completed_with_errors: { glyph: "!", token: "warn" },
  failed: { glyph: "✗", token: "bad" },
  cancelled: { glyph: "⊘", token: "quiet" },
  interrupted: { glyph: "‖", token: "warn" },
  skipped: { glyph: "–", token: "quiet" },
  stored: { glyph: "✓", token: "good" },
  indexed: { glyph: "✓", token: "good" },
  processed: { glyph: "✓", token: "good" },
  ready: { glyph: "✓", token: "good" },
  // What records are commonly in.
  new: { glyph: "◌", token: "quiet" },
  draft: { glyph: "◌", token: "quiet" },
  received: { glyph: "◌", token: "quiet" },
  open: { glyph: "●", token: "busy" },
  consulting: { glyph: "▶", token: "busy" },
  decided: { glyph: "✓", token: "good" },
  approved: { glyph: "✓", token: "good" },
  granted: { glyph: "✓", token: "good" },
  closed: { glyph: "✓", token: "quiet" },
  refused: { glyph: "✗", token: "bad" },
  rejected: { glyph: "✗", token: "bad" },
  withdrawn: { glyph: "⊘", token: "quiet" },
  expired: { glyph: "▲", token: "warn" },
  suspended: { glyph: "‖", token: "warn" },
  active: { glyph: "●", token: "good" },
  invited: { glyph: "◌", token: "warn" },
  ok: { glyph: "●", token: "good" },
  live: { glyph: "●", token: "good" },
  degraded: { glyph: "▲", token: "warn" },
  stale: { glyph: "▲", token: "warn" },
  down: { glyph: "✗", token: "bad" },
  offline: { glyph: "✗", token: "bad" },
  connecting: { glyph: "◌", token: "quiet" },
  waiting: { glyph: "◌", token: "warn" },
};

/** How a status looks; one we have never heard of gets a neutral dot. */
export function statusLook(status: string): StatusLook {
  return ownMember(statusLooks, status) ?? { glyph: "•", token: "text" };
}

/** Names of properties whose values are statuses, and are drawn as such. */
const statusNames = new Set(["status", "state", "stage", "decision"]);

export function isStatusName(name: string): boolean {
  return statusNames.has(name);
}

/** `completed_with_errors` for a reader. */
export function statusWords(status: string): string {
  return status.replaceAll("_", " ");
}
