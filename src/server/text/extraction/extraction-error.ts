/**
 * Why a document's text could not be had; the codes that a job's error and a person's message are
 * made of.
 */
export type ExtractionErrorCode =
  | "empty-file"
  | "corrupt"
  | "encrypted"
  | "unsupported"
  | "limit-exceeded"
  | "timed-out"
  | "out-of-memory"
  | "crashed";

const codes: ReadonlySet<string> = new Set<ExtractionErrorCode>([
  "empty-file",
  "corrupt",
  "encrypted",
  "unsupported",
  "limit-exceeded",
  "timed-out",
  "out-of-memory",
  "crashed",
]);

/** True for a string that is one of the codes; used on what a child process says. */
export function isExtractionErrorCode(value: unknown): value is ExtractionErrorCode {
  return typeof value === "string" && codes.has(value);
}

/**
 * A document that could not be read. `message` is one or two plain sentences for the person who
 * sent the file: it names no path, no library and no stack.
 */
export class ExtractionError extends Error {
  override readonly name = "ExtractionError";
  readonly code: ExtractionErrorCode;

  constructor(code: ExtractionErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}

/** A file that begins like `what` but breaks the rules of that format. */
export function corrupt(what: string, cause?: unknown): ExtractionError {
  return new ExtractionError(
    "corrupt",
    `This ${what} could not be read: it seems damaged or incomplete. ` +
      "Open it on your computer, save it again and send the new file.",
    { cause },
  );
}

/** A file behind a password: no text can be had without it. */
export function encrypted(what: string): ExtractionError {
  return new ExtractionError(
    "encrypted",
    `This ${what} is protected with a password. Remove the password and send the file again.`,
  );
}

/** A file above one of the limits; `detail` says which, with the limit's value. */
export function limitExceeded(detail: string): ExtractionError {
  return new ExtractionError("limit-exceeded", `This file was not read: ${detail}.`);
}

/**
 * Turns whatever a format's reader threw into an ExtractionError. Parsers answer hostile bytes with
 * every kind of error, so all that is not ours means that the file is damaged; only a lack of
 * memory is told apart.
 */
export function toExtractionError(error: unknown, what: string): ExtractionError {
  if (error instanceof ExtractionError) return error;
  if (error instanceof RangeError && /out of memory|allocation/i.test(error.message)) {
    return outOfMemory(error);
  }
  return corrupt(what, error);
}

/** A file whose reading needs more memory than one document may take. */
export function outOfMemory(cause?: unknown): ExtractionError {
  return new ExtractionError(
    "out-of-memory",
    "This file was not read: reading it takes more memory than one document may use.",
    { cause },
  );
}
