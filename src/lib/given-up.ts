const outcomes = new WeakMap<object, string>();

/**
 * Keeps what is to be known of work that was given up on its way, by the reason that it was given up
 * for: a call rejects with that very reason, which is its caller's own and says nothing of the work.
 */
export function keepOutcome(reason: unknown, words: string | undefined): void {
  if (typeof reason === "object" && reason !== null && words !== undefined) {
    outcomes.set(reason, words);
  }
}

/** What was kept of the work that a reason gave up. */
export function keptOutcome(reason: unknown): string | undefined {
  return typeof reason === "object" && reason !== null ? outcomes.get(reason) : undefined;
}
