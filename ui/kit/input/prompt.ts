/** Why a typed text can't be used, and the offsets of the wrong part, the end excluded. */
export interface PromptProblem {
  readonly words: string;
  readonly at: { readonly start: number; readonly end: number };
}

export interface Completion {
  readonly choices: readonly string[];
  /** Number of graphemes before the cursor that a choice replaces. */
  readonly replaces: number;
  readonly ending: string;
}
