import { commandErrors, projectErrors } from "./command-errors.ts";

/** The error catalog (spec 7.1). Commands import it at start-up: no schema library here. */

interface CatalogEntry {
  readonly message: string;
  readonly suggestion: string;
}

export const errorCatalog = {
  ...projectErrors,
  E101: { message: "Not logged in", suggestion: "Run `svc login`" },
  E102: { message: "Access token expired", suggestion: "Run `svc login`" },
  E103: {
    message: "Invalid credentials",
    suggestion: "Check credentials, run `svc login` again",
  },
  E104: {
    message: "Authentication failed: {details}",
    suggestion: "Contact an administrator or log in again",
  },
  E201: {
    message: "Platform API unreachable: {url}",
    suggestion: "Check network and `BASE_URL_PUBLIC_API`",
  },
  E202: { message: "{resource} not found", suggestion: "Verify the ID or name" },
  E203: {
    message: "Platform API error: {details}",
    suggestion: "Contact support if it persists",
  },
  E204: { message: "Permission denied", suggestion: "Contact an administrator" },
  E205: {
    message: "Resource conflict: {details}",
    suggestion: "The resource exists already or conflicts",
  },
  E301: { message: "Invalid schema: {details}", suggestion: "Fix the schema errors" },
  E302: { message: "Validation failed: {details}", suggestion: "Correct the errors" },
  E303: { message: "Required field missing: {field}", suggestion: "Provide {field}" },
  E304: { message: "Invalid format: {details}", suggestion: "Valid formats: {validFormats}" },
  E305: { message: "Invalid input: {details}", suggestion: "Check the input" },
  ...commandErrors,
} as const satisfies Record<string, CatalogEntry>;

/** A code of the error catalog (spec 7.1), e.g. `E202`. */
export type ErrorCode = keyof typeof errorCatalog;

/** Exit codes of the program (`docs/commands.md`). */
export const exitCodes = {
  done: 0,
  failed: 1,
  usage: 2,
  signInNeeded: 4,
  stillPending: 8,
  interrupted: 130,
} as const;

type TokensIn<Text extends string> = Text extends `${string}{${infer Token}}${infer Rest}`
  ? Token | TokensIn<Rest>
  : never;

type EntryTokens<Code extends ErrorCode> =
  | TokensIn<(typeof errorCatalog)[Code]["message"]>
  | TokensIn<(typeof errorCatalog)[Code]["suggestion"]>;

/** The values for the tokens in a code's message and suggestion, e.g. `{ url }` for E201. */
export type ErrorContext<Code extends ErrorCode> = {
  readonly [Token in EntryTokens<Code>]: string;
};

function fill(text: string, context: Readonly<Record<string, string>>): string {
  return text.replace(/\{(\w+)\}/g, (whole, token: string) => context[token] ?? whole);
}

/** Additional facts of an error; the documented error object does not include them. */
export interface CatalogErrorOptions {
  readonly status?: number | undefined;
  readonly problem?: Readonly<Record<string, unknown>> | undefined;
  /** Overrides the exit code of the error code, e.g. 8 when a wait timed out. */
  readonly exitCode?: number;
  /** Printed after the message in text mode. */
  readonly hint?: string | undefined;
  readonly cause?: unknown;
}

/** The exit code of a command that fails with a code, unless the error names another one. */
export function defaultExitCode(code: ErrorCode): number {
  if (/^E10\d$/.test(code)) return exitCodes.signInNeeded;
  // A missing value is a usage error, even when it is detected after parsing.
  return code === "E303" ? exitCodes.usage : exitCodes.failed;
}

/** The error type of client and commands: a catalog code (spec 7.1) with its texts filled in. */
export class CatalogError<Code extends ErrorCode = ErrorCode> extends Error {
  override readonly name: string = "CatalogError";
  readonly code: Code;
  /** The catalog's suggestion for this code. */
  readonly suggestion: string;
  /** Exit code of a command that fails with this error. */
  readonly exitCode: number;
  /** True if the exit code is that of the code, not one that was chosen for this error. */
  declare readonly hasDefaultExitCode: boolean;
  /** HTTP status of the platform's response, if there was one. */
  readonly status: number | undefined;
  /** The platform's problem body (RFC 9457) as parsed JSON: untrusted. */
  readonly problem: Readonly<Record<string, unknown>> | undefined;
  /** The next step in this case. */
  readonly hint: string | undefined;

  constructor(code: Code, context: ErrorContext<Code>, options: CatalogErrorOptions = {}) {
    super(
      fill(errorCatalog[code].message, context),
      options.cause === undefined ? undefined : { cause: options.cause },
    );
    this.code = code;
    this.suggestion = fill(errorCatalog[code].suggestion, context);
    this.exitCode = options.exitCode ?? defaultExitCode(code);
    Object.defineProperty(this, "hasDefaultExitCode", { value: options.exitCode === undefined });
    this.status = options.status;
    this.problem = options.problem;
    this.hint = options.hint;
  }
}

/** Builds a catalog error; `context` is required when the texts have `{tokens}`. */
export function catalogError<Code extends ErrorCode>(
  code: Code,
  ...[context, options]: keyof ErrorContext<Code> extends never
    ? [context?: Record<never, string>, options?: CatalogErrorOptions]
    : [context: ErrorContext<Code>, options?: CatalogErrorOptions]
): CatalogError<Code> {
  return new CatalogError(code, (context ?? {}) as ErrorContext<Code>, options);
}

/** The note on a storage diagnosis that is not `complete`, in commands and in the dashboard. */
export const incompleteCheckNote =
  "the check is incomplete: run `svc serve doctor` on the platform's machine";

/** True if a problem's code, e.g. `not-found`, says that the route found nothing. */
export function namesMissing(code: unknown): boolean {
  // Other deployments have codes in other forms, which say nothing about the route.
  const isOurs = typeof code === "string" && /^[a-z]+(?:-[a-z]+)+$/.test(code);
  return isOurs && code !== "route-not-found";
}
