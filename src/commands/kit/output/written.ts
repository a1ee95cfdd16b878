import { inputError } from "#cli/errors.ts";
import { systemErrorCode, writeErrorWords } from "#lib/system-error.ts";

/** Runs work that writes to a path. Throws E305 with the path for an error of the system. */
export async function written<Result>(path: string, write: () => Promise<Result>): Promise<Result> {
  try {
    return await write();
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
    throw inputError(`${path} can't be written: ${writeErrorWords(error)}`);
  }
}
