import { catalogError, CatalogError } from "#contract/errors.ts";
import { mayLackRoute } from "./failures.ts";

/** A platform without the route may take its last segment for an id. */
const refusals: ReadonlySet<number | undefined> = new Set([400, 404, 405, 422, 501]);

/**
 * Looks at the trash before a deletion that says what becomes of the rest. A platform that does not
 * know `trash` or `permanent` may ignore it, and do another deletion. Throws E203 there.
 */
export async function requireTrash(
  look: () => Promise<unknown>,
  words: { readonly details: string; readonly hint: string },
): Promise<void> {
  try {
    await look();
  } catch (error) {
    if (!(error instanceof CatalogError) || !refusals.has(error.status)) throw error;
    // The workspace or the type may be missing too.
    if (error.status === 404 && !mayLackRoute(error)) throw error;
    const { details, hint } = words;
    throw catalogError("E203", { details }, { hint, cause: error });
  }
}

/** The words where a platform cannot erase. */
export const cannotErase = {
  details: "this platform cannot erase",
  hint: "Delete it instead; `svc verify calls` reports what the platform has",
};
