import type { Reason } from "./reasons.ts";

/**
 * The keys as data. Handling, footer, help and palette are computed from them; a screen names
 * intents, never keys.
 */

/** Where a key works; deeper scopes go first, and a modal scope hides those below it. */
export const scopes = {
  global: { depth: 0, modal: false, words: "Everywhere" },
  place: { depth: 1, modal: false, words: "In this place" },
  pane: { depth: 2, modal: false, words: "In lists and text" },
  input: { depth: 3, modal: false, words: "While typing" },
  chat: { depth: 3, modal: false, words: "While writing a message" },
  form: { depth: 4, modal: true, words: "In forms" },
  locked: { depth: 4, modal: false, words: "In a field that takes no text" },
  conflict: { depth: 4, modal: true, words: "When another user saved first" },
  dialog: { depth: 5, modal: true, words: "In questions" },
  picker: { depth: 6, modal: true, words: "While choosing" },
  columns: { depth: 6, modal: true, words: "While choosing columns" },
  help: { depth: 7, modal: true, words: "In this help" },
  always: { depth: 8, modal: false, words: "Always" },
} as const satisfies Record<string, { depth: number; modal: boolean; words: string }>;
export type Scope = keyof typeof scopes;

/** A use of an intent: its keys, and where they work. */
interface KeyUse {
  readonly keys: readonly string[];
  readonly where: readonly Scope[];
  readonly words: string;
  /** Rank in the footer, lowest first; a narrow footer drops the highest. */
  readonly footer?: number;
  /** The palette leaves it out, because it moves or edits within the focus. */
  readonly onlyKey?: boolean;
  readonly disabledReason?: Reason;
}

export interface KeyEntry extends KeyUse {
  readonly intent: string;
}

/** An intent with its uses, of which the first one names it. */
export interface Key {
  readonly entries: readonly [KeyEntry, ...KeyEntry[]];
}

/** The keys of a noun by intent. */
export type KeyGroup = Readonly<Record<string, Key>>;

export function key(
  keys: string,
  where: Scope | readonly Scope[],
  words: string,
  options: Pick<KeyUse, "footer" | "onlyKey" | "disabledReason"> = {},
): KeyUse {
  return {
    keys: keys.split(" "),
    where: typeof where === "string" ? [where] : where,
    words,
    ...options,
  };
}

/** Keys by intent. An intent with several uses has a list of them. */
export function keyGroup<Intent extends string>(
  uses: Readonly<Record<Intent, KeyUse | readonly [KeyUse, ...KeyUse[]]>>,
): Readonly<Record<Intent, Key>>;
export function keyGroup(
  uses: Readonly<Record<string, KeyUse | readonly [KeyUse, ...KeyUse[]]>>,
): KeyGroup {
  return Object.fromEntries(
    Object.entries(uses).map(([intent, use]) => {
      const [first, ...others] = "words" in use ? [use] : use;
      const entries = [{ ...first, intent }, ...others.map((one) => ({ ...one, intent }))] as const;
      return [intent, { entries }];
    }),
  );
}

/** All keys of a program, in the order of its help. */
export function keyTableOf(groups: readonly KeyGroup[]): readonly KeyEntry[] {
  return groups.flatMap((group) => Object.values(group).flatMap(({ entries }) => entries));
}

/** A key name for a reader. */
export function keyWords(name: string): string {
  const glyphs: Readonly<Record<string, string>> = {
    enter: "↵",
    escape: "esc",
    up: "↑",
    down: "↓",
    left: "←",
    right: "→",
    pageup: "pgup",
    pagedown: "pgdn",
    "shift+tab": "⇧tab",
  };
  return glyphs[name] ?? name.replace("ctrl+", "^");
}

export function keyName({ entries: [{ keys }] }: Key): string {
  return keyWords(keys[0] ?? "");
}

/** A hint such as "u uploads a file."; for a role that may not, the reason. */
export function keyOffer(named: Key, does: string, role: string | undefined): string {
  const [{ words, disabledReason }] = named.entries;
  const reason = disabledReason?.of({ role });
  return reason === undefined ? `${keyName(named)} ${does}` : `${words}: ${reason}`;
}
