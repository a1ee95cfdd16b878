/** What dialogs are asked to show. */

/** Something that can be chosen. */
export interface Choice {
  readonly id: string;
  readonly words: string;
  /** Stands at the right: a key, a kind, a count. */
  readonly beside?: string | undefined;
  /** Why it can't be chosen now. */
  readonly reason?: string | undefined;
  readonly choose: () => void;
}

export interface TextQuestion {
  readonly title: string;
  /** What the answer is for. */
  readonly words: string;
  readonly initial: string;
  readonly placeholder: string;
  /** Why an answer can't be taken. */
  readonly problemOf?: ((text: string) => string | undefined) | undefined;
  readonly onAnswer: (text: string) => void;
}

export interface ColumnQuestion {
  readonly title: string;
  /** Every column that there is. */
  readonly possible: readonly { readonly id: string; readonly title: string }[];
  /** Those that are shown, in their order. */
  readonly shown: readonly string[];
  /** Those that are shown where nobody has chosen. */
  readonly standard: readonly string[];
  /** `undefined`: the standard ones again. */
  readonly onKeep: (names: readonly string[] | undefined) => void;
}

export interface Question {
  /** What would be done, e.g. `Delete document DOC-2026-000042`. */
  readonly title: string;
  /** What it removes or changes, one line each. */
  readonly effects: readonly string[];
  /** The command that does the same, where there is one. */
  readonly command?: string | undefined;
  /** To be typed before it is done, where it can't be undone. */
  readonly typed?: string | undefined;
  readonly onConfirm: () => void;
}

/** Something to be asked for before there is anything to choose from. */
export interface Pending {
  readonly title: string;
  /** What is awaited. */
  readonly words: string;
  /** Asks for it, and gives what is done with it; given up when the signal says so. */
  readonly ask: (signal: AbortSignal) => Promise<() => void>;
}
