import { catalogError, exitCodes, type CatalogError } from "#contract/errors.ts";
import { given } from "#lib/given.ts";

/** E305 with exit code 2: the words of the call are wrong. `hint` says what to type. */
export function usageError(details: string, hint?: string): CatalogError {
  return catalogError("E305", { details }, { exitCode: exitCodes.usage, ...given({ hint }) });
}

/** E305 with exit code 1: the input can't be used. */
export function inputError(details: string, hint?: string): CatalogError {
  return catalogError("E305", { details }, given({ hint }));
}

/** E305 with exit code 130: the user has ended the command. `hint` says what has taken effect. */
export function interruptedError(hint: string | undefined, cause?: unknown): CatalogError {
  const options = { exitCode: exitCodes.interrupted, cause, ...given({ hint }) };
  return catalogError("E305", { details: "interrupted" }, options);
}

/** E303 with exit code 2: an argument, an option or a value is missing. */
export function missingField(field: string, hint?: string): CatalogError {
  return catalogError("E303", { field }, given({ hint }));
}

/** E304 with exit code 2: a word of the call is in the wrong format. */
export function usageFormatError(details: string, validFormats: string): CatalogError {
  return catalogError("E304", { details, validFormats }, { exitCode: exitCodes.usage });
}

/** E304 with exit code 1: data are in the wrong format. */
export function formatError(details: string, validFormats: string, hint?: string): CatalogError {
  return catalogError("E304", { details, validFormats }, given({ hint }));
}
