const codes = [
  "empty-file",
  "corrupt",
  "encrypted",
  "unsupported",
  "limit-exceeded",
  "timed-out",
  "out-of-memory",
  "crashed",
] as const;

export type ExtractionErrorCode = (typeof codes)[number];

/** True for one of the codes; checks what a child process writes. */
export function isExtractionErrorCode(value: unknown): value is ExtractionErrorCode {
  return codes.some((code) => code === value);
}

/**
 * A document that could not be read. `message` is one or two sentences for the user, without paths,
 * library names and stacks.
 */
export class ExtractionError extends Error {
  override readonly name = "ExtractionError";
  readonly code: ExtractionErrorCode;

  constructor(code: ExtractionErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}

/** A file that is not valid in its format, which `what` names. */
export function corrupt(what: string, cause?: unknown): ExtractionError {
  return new ExtractionError(
    "corrupt",
    `This ${what} could not be read: it seems damaged or incomplete. ` +
      "Open it on your computer, save it again and send the new file.",
    { cause },
  );
}

export function encrypted(what: string): ExtractionError {
  return new ExtractionError(
    "encrypted",
    `This ${what} is protected with a password. Remove the password and send the file again.`,
  );
}

/** A file above one of the limits; `detail` names the limit and its value. */
export function limitExceeded(detail: string): ExtractionError {
  return new ExtractionError("limit-exceeded", `This file was not read: ${detail}.`);
}

export function tooManyCharacters(limit: number): ExtractionError {
  return limitExceeded(`it has more than ${limit} characters of text`);
}

export function tooDeep(limit: number): ExtractionError {
  return limitExceeded(`it nests deeper than ${limit} levels`);
}

/** Turns any parser's error into an ExtractionError: `corrupt`, unless memory ran out. */
export function toExtractionError(error: unknown, what: string): ExtractionError {
  if (error instanceof ExtractionError) return error;
  if (error instanceof RangeError && /out of memory|allocation/i.test(error.message)) {
    return outOfMemory(error);
  }
  return corrupt(what, error);
}

export function outOfMemory(cause?: unknown): ExtractionError {
  return new ExtractionError(
    "out-of-memory",
    "This file was not read: reading it takes more memory than one document may use.",
    { cause },
  );
}
