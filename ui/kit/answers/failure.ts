import { filledText, membersOf } from "#lib/json/value.ts";
import { plainLine } from "#lib/text/terminal.ts";
import { pointerNames } from "#lib/json/pointer.ts";

/** A failure as texts that are safe to draw. */
export interface Failure {
  /** Catalog code, e.g. `E201`; absent for an unexpected error. */
  readonly code: string | undefined;
  readonly message: string;
  /** The platform's own text if there is one, else the message; for one line. */
  readonly reason: string;
  readonly suggestion: string | undefined;
  readonly status: number | undefined;
  /** The platform does not have the route: other deployments lack additions of this interface. */
  readonly isMissingRoute?: true;
  readonly details: readonly string[];
  readonly faults: readonly RequestFault[];
}

export interface RequestFault {
  /** The steps of its pointer (RFC 6901). */
  readonly steps: readonly string[];
  readonly detail: string;
}

function textMember(value: unknown, name: string): string | undefined {
  return filledText(membersOf(value)?.get(name));
}

/** The steps of a pointer such as `#/where/amount/$gt`. */
function stepsOf(pointer: string): string[] {
  const steps = pointerNames(pointer).filter((step) => step !== "");
  // A reader does not need to know whether a filter was sent in the query or in the body.
  return steps[0] === "query" && steps.length > 1 ? steps.slice(1) : steps;
}

function faultsOf(problem: unknown): RequestFault[] {
  const errors = membersOf(problem)?.get("errors");
  if (!Array.isArray(errors)) return [];
  return errors.slice(0, 8).flatMap((fault: unknown) => {
    const detail = textMember(fault, "detail");
    if (detail === undefined) return [];
    const steps = stepsOf(textMember(fault, "pointer") ?? "").map(plainLine);
    return [{ steps, detail: plainLine(detail) }];
  });
}

/** A fault as text: `where › amount › $gt: must be a number`. */
function faultWords({ steps, detail }: RequestFault): string {
  return steps.length === 0 ? detail : `${steps.join(" › ")}: ${detail}`;
}

/** The text without its pointers: the faults are listed separately. */
function withoutPointers(text: string): string {
  if (!text.includes("#/")) return text;
  const [head = ""] = text.split(/:? ?#\//, 1);
  const [request = ""] = /Request [\w-]+/.exec(text) ?? [];
  return head === "" ? request : head;
}

const unexpected = "An unexpected error occurred";
const unexpectedFailure: Failure = {
  code: undefined,
  message: unexpected,
  reason: unexpected,
  suggestion: "Try again; `SVC_DEBUG=1 svc …` with the same command shows the cause",
  status: undefined,
  details: [],
  faults: [],
};

/** Whether an error only says that the caller aborted the request. */
export function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === "AbortError";
}

/** The failure of an error; the text of an error outside the catalog is not shown. */
export function failureOf(error: unknown): Failure {
  // Checks the shape, not the class: the first frame must not load the catalog's module.
  const [code, suggestion] = [textMember(error, "code"), textMember(error, "suggestion")];
  if (!(error instanceof Error) || code === undefined || suggestion === undefined) {
    return unexpectedFailure;
  }
  const problem = membersOf(error)?.get("problem");
  const status = membersOf(error)?.get("status");
  const hint = textMember(error, "hint") ?? "";
  const detail = textMember(problem, "detail");
  const faults = faultsOf(problem);
  const isRepeated =
    detail === undefined ||
    error.message.includes(detail) ||
    hint.startsWith(detail) ||
    hasRoles(hint, problem);
  const withoutFaults = (text: string) => (faults.length === 0 ? text : withoutPointers(text));
  const message = plainLine(withoutFaults(error.message));
  const details = [...(isRepeated ? [] : [detail]), ...faults.map(faultWords), withoutFaults(hint)];
  return {
    code: plainLine(code),
    message,
    reason: detail !== undefined && error.message.endsWith(detail) ? plainLine(detail) : message,
    suggestion: plainLine(suggestion),
    status: typeof status === "number" ? status : undefined,
    ...(isMissingRoute(status, problem) ? { isMissingRoute: true } : {}),
    details: details.filter((line) => line !== "").map(plainLine),
    faults,
  };
}

/** Whether the client's hint has the needed role and the user's, which the detail is about. */
function hasRoles(hint: string, problem: unknown): boolean {
  const roles = [textMember(problem, "requiredRole"), textMember(problem, "currentRole")];
  return roles.every((role) => role !== undefined && hint.includes(role));
}

/** 405 and 501, and a 404 whose problem does not say that something else is missing. */
function isMissingRoute(status: unknown, problem: unknown): boolean {
  if (status === 405 || status === 501) return true;
  const code = textMember(problem, "code");
  return status === 404 && (code === undefined || code === "route-not-found");
}

export function failureHead({ code, message }: Failure): string {
  return code === undefined ? message : `${code} ${message}`;
}

/** The reason with its catalog code, for one line that may be cut. */
export function failureReason({ code, reason }: Failure): string {
  return code === undefined ? reason : `${code} ${reason}`;
}

export function failureTexts(failure: Failure): readonly [head: string, ...rest: string[]] {
  const { details, suggestion = "" } = failure;
  return [failureHead(failure), ...details, ...(suggestion === "" ? [] : [suggestion])];
}

export function failureLine(error: unknown): string {
  const failure = failureOf(error);
  const [detail] = failure.details;
  return `${failureReason(failure)}${detail === undefined ? "" : `: ${detail}`}`;
}

/** Whether only a sign-in helps. */
export function needsSignIn(failure: Failure): boolean {
  return ["E101", "E102", "E103"].includes(failure.code ?? "");
}
