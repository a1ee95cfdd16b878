const outcomes = new WeakMap<object, string>();

/** Notes the outcome of aborted work under its abort reason, which says nothing about the work. */
export function noteAbortOutcome(reason: unknown, words: string | undefined): void {
  if (typeof reason === "object" && reason !== null && words !== undefined) {
    outcomes.set(reason, words);
  }
}

export function abortOutcomeOf(reason: unknown): string | undefined {
  return typeof reason === "object" && reason !== null ? outcomes.get(reason) : undefined;
}
