import { CatalogError } from "#contract/errors.ts";

/** One result of a doctor. `warning` does not fail the command. */
export interface Finding {
  readonly check: string;
  readonly state: "ok" | "fixed" | "warning" | "failed";
  readonly detail: string;
  /** The next step for the user. */
  readonly next?: string | undefined;
}

/** A catalog error as a finding; other errors are thrown. */
export function failedFinding(check: string, error: unknown): Finding {
  if (!(error instanceof CatalogError)) throw error;
  const { message, hint, suggestion } = error;
  return { check, state: "failed", detail: message, next: hint ?? suggestion };
}
