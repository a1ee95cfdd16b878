import { catalogError, exitCodes } from "#contract/errors.ts";
import type { CatalogError } from "#contract/errors.ts";

/** Wrong usage: exit code 2, with what is wrong and what to type. */
export function usageError(details: string, hint?: string): CatalogError {
  return catalogError(
    "E305",
    { details },
    { exitCode: exitCodes.usage, ...(hint === undefined ? {} : { hint }) },
  );
}
