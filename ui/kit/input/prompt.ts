/** Why what is typed can't be used, and which part of it: offsets, the end excluded. */
export interface PromptProblem {
  readonly words: string;
  readonly at: { readonly start: number; readonly end: number };
}

/** What the typed text may become at the cursor. */
export interface Completion {
  /** What is there to choose from, first what Tab takes. */
  readonly choices: readonly string[];
  /** How many graphemes before the cursor it replaces. */
  readonly replaces: number;
  /** Put behind what was chosen. */
  readonly ending: string;
}
