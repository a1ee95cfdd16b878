export interface Choice {
  readonly id: string;
  readonly words: string;
  /** Shown at the right: a key, a kind, a count. */
  readonly note?: string | undefined;
  /** It is in effect now, or in the list already. */
  readonly isCurrent?: boolean;
  /** Why it can't be chosen now. */
  readonly reason?: string | undefined;
  readonly choose: () => void;
}

/** The next choices of a long list, and how those after them load; absent at its end. */
export interface ChoicePage {
  readonly choices: readonly Choice[];
  readonly more?: LoadChoices | undefined;
}

/** Loads choices when the cursor comes to the last ones; a rejection keeps those so far. */
export type LoadChoices = (signal: AbortSignal) => Promise<ChoicePage>;

export interface TextQuestion {
  readonly title: string;
  readonly words: string;
  readonly initial: string;
  readonly isOptional?: boolean | undefined;
  readonly placeholder: string;
  readonly problemOf?: ((text: string) => string | undefined) | undefined;
  /** The command with the same effect. */
  readonly command?: string | undefined;
  readonly onAnswer: (text: string) => void;
}

export interface ColumnQuestion {
  readonly title: string;
  readonly possible: readonly { readonly id: string; readonly title: string }[];
  readonly shown: readonly string[];
  readonly standard: readonly string[];
  /** `undefined` restores the standard columns. */
  readonly onKeep: (names: readonly string[] | undefined) => void;
}

export interface Question {
  /** The action, e.g. `Delete document DOC-2026-000042`. */
  readonly title: string;
  /** The removed or changed things, one line each. */
  readonly effects: readonly string[];
  /** The command with the same effect. */
  readonly command?: string | undefined;
  /** The text to type before an action that has no undo. */
  readonly typed?: string | undefined;
  readonly onConfirm: () => void;
}

/** Data that must load before there is anything to choose from. */
export interface Pending {
  readonly title: string;
  readonly words: string;
  /** Loads it until the signal aborts; resolves to the next step. */
  readonly ask: (signal: AbortSignal) => Promise<() => void>;
}
