import { filledText, membersOf } from "#lib/json-value.ts";
import { plainLine } from "#lib/terminal-text.ts";
import { pointerNames } from "#lib/json-pointer.ts";

/** A failure in words, made harmless: what a screen shows instead of a stack. */
export interface Failure {
  /** Catalog code, e.g. `E201`; absent for what no catalog foresaw. */
  readonly code: string | undefined;
  readonly message: string;
  /** The message without the catalog's words around what the platform said, for one line. */
  readonly reason: string;
  readonly suggestion: string | undefined;
  /** HTTP status of the platform's answer, where there was one. */
  readonly status: number | undefined;
  /** What the platform says in its problem body. */
  readonly details: readonly string[];
  /** What it says is wrong with the request, and where: the steps of its pointer (RFC 6901). */
  readonly faults: readonly RequestFault[];
}

export interface RequestFault {
  readonly steps: readonly string[];
  readonly detail: string;
}

interface CatalogShape {
  readonly code: string;
  readonly suggestion: string;
  readonly hint?: unknown;
  readonly status?: unknown;
  readonly problem?: unknown;
}

// By shape rather than by class: the catalog's module stays off the first frame's path.
function isCatalogShape(error: Error): error is Error & CatalogShape {
  return (
    "code" in error &&
    typeof error.code === "string" &&
    "suggestion" in error &&
    typeof error.suggestion === "string"
  );
}

function textMember(value: unknown, name: string): string | undefined {
  return filledText(membersOf(value)?.get(name));
}

/** The steps of a pointer into the request, `#/where/amount/$gt`. */
function stepsOf(pointer: string): string[] {
  const told = pointerNames(pointer).filter((step) => step !== "");
  // Whether a filter went in the address or in the body is nothing to its reader.
  return told[0] === "query" && told.length > 1 ? told.slice(1) : told;
}

function faultsOf(problem: unknown): RequestFault[] {
  if (typeof problem !== "object" || problem === null || !("errors" in problem)) return [];
  if (!Array.isArray(problem.errors)) return [];
  return problem.errors.slice(0, 8).flatMap((fault: unknown) => {
    const detail = textMember(fault, "detail");
    if (detail === undefined) return [];
    const steps = stepsOf(textMember(fault, "pointer") ?? "").map(plainLine);
    return [{ steps, detail: plainLine(detail) }];
  });
}

/** A fault for a reader: `where › amount › $gt: must be a number`. */
function faultWords({ steps, detail }: RequestFault): string {
  return steps.length === 0 ? detail : `${steps.join(" › ")}: ${detail}`;
}

/** What is said beside the faults, which are told in words of their own. */
function withoutPointers(text: string): string {
  if (!text.includes("#/")) return text;
  const [head = ""] = text.split(/:? ?#\//, 1);
  const [request = ""] = /Request [\w-]+/.exec(text) ?? [];
  return head === "" ? request : head;
}

const unexpected = "Something unexpected happened";

/** Whether a failure only says that the caller itself gave up. */
export function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === "AbortError";
}

/** The words of a failure; one that is no catalog error is named as unexpected, without its text. */
export function failureOf(error: unknown): Failure {
  if (error instanceof Error && isCatalogShape(error)) {
    const detail = textMember(error.problem, "detail");
    const faults = faultsOf(error.problem);
    const hint = typeof error.hint === "string" ? error.hint : "";
    const isSaid =
      detail === undefined || error.message.includes(detail) || hint.startsWith(detail);
    const message = plainLine(faults.length === 0 ? error.message : withoutPointers(error.message));
    return {
      code: plainLine(error.code),
      message,
      reason: detail !== undefined && error.message.endsWith(detail) ? plainLine(detail) : message,
      suggestion: plainLine(error.suggestion),
      status: typeof error.status === "number" ? error.status : undefined,
      details: [
        ...(isSaid ? [] : [detail]),
        ...faults.map(faultWords),
        faults.length === 0 ? hint : withoutPointers(hint),
      ]
        .filter((line) => line !== "")
        .map(plainLine),
      faults,
    };
  }
  return {
    code: undefined,
    message: unexpected,
    reason: unexpected,
    suggestion: "Try again; `SVC_DEBUG=1 svc …` with the same command says more",
    status: undefined,
    details: [],
    faults: [],
  };
}

/** What went wrong, with its catalog code where it has one: `E201 Cannot reach the platform`. */
export function failureHead({ code, message }: Failure): string {
  return code === undefined ? message : `${code} ${message}`;
}

/** The same where there is one line for it, and its end may be cut off: the reason comes first. */
export function failureReason({ code, reason }: Failure): string {
  return code === undefined ? reason : `${code} ${reason}`;
}

/** All that is known of a failure, a paragraph each: its head, what the platform says, what to do. */
export function failureTexts(failure: Failure): readonly [head: string, ...rest: string[]] {
  const { details, suggestion = "" } = failure;
  return [failureHead(failure), ...details, ...(suggestion === "" ? [] : [suggestion])];
}

/** A failure in one line, for a message that comes and goes. */
export function failureLine(error: unknown): string {
  const failure = failureOf(error);
  const [detail] = failure.details;
  return `${failureReason(failure)}${detail === undefined ? "" : `: ${detail}`}`;
}

/** Only a sign-in helps. */
export function needsSignIn(failure: Failure): boolean {
  return failure.code === "E101" || failure.code === "E102" || failure.code === "E103";
}
