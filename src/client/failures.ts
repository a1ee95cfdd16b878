import {
  CatalogError,
  type CatalogErrorOptions,
  type ErrorCode,
  type ErrorContext,
  namesMissing,
} from "#contract/errors.ts";
import { readBoundedText, type ReadableBody } from "#lib/network/bounded-body.ts";
import { redact } from "#lib/text/redact.ts";
import { parseRetryAfterMs } from "#lib/time/retry.ts";
import { shortText } from "#lib/text/short.ts";
import { pointerWords } from "#lib/json/pointer.ts";
import { isJsonObject, parsedJson } from "#lib/json/value.ts";

/**
 * A refusal by the platform: a catalog error with the HTTP status and the problem body.
 *
 * ```ts
 * try {
 *   await licences.update(id, data, { version });
 * } catch (error) {
 *   if (!(error instanceof PlatformError) || error.code !== "E205") throw error;
 *   console.log(`the current version is ${error.problem?.["currentVersion"]}`);
 * }
 * ```
 */
export class PlatformError<Code extends ErrorCode = ErrorCode> extends CatalogError<Code> {
  override readonly name = "PlatformError";
  override readonly status: number;
  /** The platform's ID of the request, for its operator. */
  readonly requestId: string | undefined;

  constructor(
    code: Code,
    context: ErrorContext<Code>,
    options: CatalogErrorOptions & {
      readonly status: number;
      readonly requestId?: string | undefined;
    },
  ) {
    super(code, context, options);
    this.status = options.status;
    this.requestId = options.requestId;
  }
}

/** The limit of an error's body after decompression. */
const maximumErrorBodyBytes = 64 * 1024;
const errorBodyMs = 10_000;
const longestDetail = 500;
const shownFaults = 5;

type Problem = Readonly<Record<string, unknown>>;

interface Route {
  readonly method: string;
  readonly route: string;
}

/** Facts for an error that the response does not have. */
export interface FailureContext {
  /** The requested thing, for E202, e.g. `Document DOC-2026-000001`. */
  readonly subject?: string | undefined;
  /** The hint for a response after which the request may have had its effect. */
  readonly unexplained?: string | undefined;
  /** True if an earlier attempt of the request may have had its effect. */
  readonly isUnsettled?: boolean | undefined;
  /** The route that was called, for a platform that may lack it. */
  readonly route?: Route | undefined;
  /** Strings to redact, e.g. the token. */
  readonly secrets?: readonly string[] | undefined;
}

/** The error of a failed response, without request, headers or token; reads at most 64 KiB. */
export async function errorFromResponse(
  response: ReadableBody & { readonly status: number },
  context: FailureContext = {},
): Promise<PlatformError> {
  const { secrets = [], subject } = context;
  const { status, headers } = response;
  const limits = { truncate: true, limitMs: errorBodyMs };
  // The status is enough when the body breaks off.
  const body = await readBoundedText(response, maximumErrorBodyBytes, limits).catch(() => "");
  const text = redact(body, secrets);
  const problem = parseProblem(text);
  const words = problemWords(response, problem, text);
  const details = words === "" ? `HTTP ${status}` : words;
  const givenId = field(problem, "requestId") ?? headers.get("x-request-id");
  const requestId = givenId === null ? undefined : shortText(givenId, 128, secrets);
  const mayHaveEffect = context.isUnsettled === true || leavesEffectOpen(status, headers);
  const unexplained = mayHaveEffect ? context.unexplained : undefined;
  // An unexplained failure has its own next step.
  const isBusy = (status === 429 || status === 503) && unexplained === undefined;
  const options = (extra?: string) => {
    const hints = [
      extra,
      conflictHint(problem),
      unexplained,
      absenceWords(status, problem, context.route),
      isBusy ? waitWords(headers.get("retry-after")) : undefined,
      requestId === undefined ? undefined : `Request ${requestId}`,
    ].filter((line) => line !== undefined && line !== "");
    return { status, requestId, problem, hint: hints.join(". ") || undefined };
  };
  switch (status) {
    case 400:
    case 422: {
      const faults = faultWords(problem);
      return faults === undefined
        ? new PlatformError("E305", { details }, options())
        : new PlatformError("E302", { details: faults }, options(words));
    }
    case 401:
      return field(problem, "code") === "token-expired"
        ? new PlatformError("E102", {}, options())
        : new PlatformError("E103", {}, options(words));
    case 403:
      if (field(problem, "code") === "origin-refused") {
        return new PlatformError("E203", { details: words }, options(originHint));
      }
      return new PlatformError("E204", {}, options(roleWords(problem) ?? words));
    case 404:
    case 410:
      return new PlatformError("E202", { resource: subjectOf(subject, problem) }, options(words));
    case 409:
    case 412:
      return new PlatformError("E205", { details }, options());
    case 413:
    case 415: {
      const validFormats =
        status === 413 ? "content within the platform's size limit" : "those the platform supports";
      return new PlatformError("E304", { details, validFormats }, options());
    }
    case 414:
    case 431:
      return new PlatformError("E305", { details }, options(longAddressHint));
    default:
      return new PlatformError("E203", { details: unexpectedWords(response, words) }, options());
  }
}

function unexpectedWords(
  { status, headers }: Pick<ReadableBody, "headers"> & { readonly status: number },
  words: string,
): string {
  if (status < 300 || status >= 400) return `HTTP ${status}${words === "" ? "" : `: ${words}`}`;
  const origin = URL.parse(headers.get("location") ?? "")?.origin ?? "another place";
  return `HTTP ${status} redirects to ${origin}, which is not followed`;
}

const longAddressHint =
  "The address is longer than the platform, or a proxy before it, takes: shorten the query or filter";
const originHint = "A page and its platform need the same origin, also through a proxy";

/**
 * True if a request may have had its effect in spite of this response: a gateway may have forwarded
 * it. A platform that is busy or full refuses with a problem.
 */
export function leavesEffectOpen(status: number, headers: ReadableBody["headers"]): boolean {
  if (status === 503 || status === 507) {
    return !/^application\/problem\+json\b/i.test(headers.get("content-type") ?? "");
  }
  return status === 408 || (status >= 500 && status !== 501 && status !== 505);
}

/** The subject of E202: a missing route, or the part of the request that a pointer names. */
function subjectOf(subject: string | undefined, problem: Problem | undefined): string {
  if (field(problem, "code") === "route-not-found") return "Route";
  const errors = problem?.["errors"];
  const [first] = Array.isArray(errors) ? errors : [];
  const fault = typeof first === "object" && first !== null ? { ...first } : {};
  const pointer = field(fault, "pointer");
  if (pointer !== undefined && !pointer.startsWith("#/path/")) {
    return shortText(pointerWords(pointer).replace(/^#\/(?:query\/|header\/)?/, ""), 200);
  }
  return subject === undefined ? "Resource" : shortText(subject, 300);
}

/** A JSON body, whatever its content type; `{ error: { … } }` is the error itself. */
function parseProblem(text: string): Problem | undefined {
  if (!text.trimStart().startsWith("{")) return undefined;
  const value = parsedJson(text);
  if (!isJsonObject(value)) return undefined;
  const inner = value["error"] ?? value["fault"];
  return isJsonObject(inner) ? { ...value, ...inner } : value;
}

/** A text by its name, in any case. */
function field(problem: Problem | undefined, name: string): string | undefined {
  const spelt = Object.keys(problem ?? {}).find((one) => one.toLowerCase() === name.toLowerCase());
  const value = problem?.[name] ?? problem?.[spelt ?? name];
  return typeof value === "string" && value !== "" ? value : undefined;
}

function firstField(problem: Problem | undefined, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = field(problem, name);
    if (value !== undefined) return value;
  }
  return undefined;
}

/** The problem's text, or the text of another body, as one line. */
function problemWords(response: ReadableBody, problem: Problem | undefined, text: string): string {
  const spoken = firstField(problem, messageNames);
  if (spoken !== undefined) return shortText(spoken, longestDetail);
  if (problem !== undefined) return faultWords(problem) ?? "";
  const type = response.headers.get("content-type") ?? "";
  if (/^text\/html/i.test(type) || /^\s*</.test(text)) {
    return shortText(/<title[^>]*>([^<]{0,500})<\/title/i.exec(text)?.[1] ?? "", longestDetail);
  }
  const isText = type === "" || /^text\/plain|[/+]json\b/i.test(type);
  return isText && !/^\s*[[{]/.test(text) ? shortText(unquoted(text), longestDetail) : "";
}

const messageNames = [
  "detail",
  "title",
  "message",
  "error_description",
  "error",
  "errorMessage",
  "reason",
  "description",
  "msg",
];

/** The text of a JSON string; other text unchanged. */
function unquoted(text: string): string {
  const value = text.startsWith('"') ? parsedJson(text) : undefined;
  return typeof value === "string" ? value : text;
}

/** Faults as objects or texts: a list, or an object of names with their messages. */
function faultsOf(problem: Problem | undefined): readonly unknown[] {
  for (const errors of [problem?.["errors"], problem?.["detail"], problem?.["details"]]) {
    if (Array.isArray(errors)) return errors;
    if (!isJsonObject(errors)) continue;
    return Object.entries(errors).flatMap(([name, messages]) =>
      (Array.isArray(messages) ? messages : [messages]).map((message: unknown) => ({
        field: name,
        message,
      })),
    );
  }
  return [];
}

function faultText(entry: unknown): string {
  if (typeof entry === "string") return shortText(entry, 200);
  const fault: Problem = isJsonObject(entry) ? entry : {};
  const detail = firstField(fault, ["detail", "message", "msg", "error"]) ?? "is not valid";
  const place = fault["loc"] ?? fault["path"];
  const name = Array.isArray(place) ? place.join(".") : firstField(fault, placeNames);
  const pointer = field(fault, "pointer");
  return shortText(
    `${pointer === undefined ? (name ?? "") : pointerWords(pointer)} ${detail}`,
    200,
  );
}

const placeNames = ["field", "path", "property", "name", "param"];

function faultWords(problem: Problem | undefined): string | undefined {
  const errors = faultsOf(problem);
  if (errors.length === 0) return undefined;
  const lines = errors.slice(0, shownFaults).map(faultText);
  const more = errors.length - shownFaults;
  return more > 0 ? `${lines.join("; ")}; and ${more} more` : lines.join("; ");
}

/** The role or the permission that a refusal needs, and the role of the caller. */
function roleWords(problem: Problem | undefined): string | undefined {
  const needed = field(problem, "requiredRole");
  const held = field(problem, "currentRole");
  if (needed === undefined || held === undefined) return undefined;
  const permission = field(problem, "permission");
  const granting =
    permission === undefined ? "" : `the permission ${shortText(permission, 100)} or `;
  return `needs ${granting}${shortText(needed, 100)}; you are ${shortText(held, 100)}`;
}

/** The next try by `Retry-After`, which was too late for the client's own retries. */
function waitWords(field: string | null): string | undefined {
  const now = Date.now();
  const waitMs = parseRetryAfterMs(field, now);
  if (waitMs === undefined || waitMs === 0) return undefined;
  const seconds = Math.ceil(waitMs / 1000);
  const how =
    seconds <= 600
      ? `in ${seconds} s`
      : `after ${new Date(now + waitMs).toISOString().replace(/\.\d+/, "")}`;
  return `Try again ${how}`;
}

/** The platform may lack the route: it says so, or does not say what else it did not find. */
function absenceWords(
  status: number,
  problem: Problem | undefined,
  route: Route | undefined,
): string | undefined {
  if (route === undefined || !mayLackRoute({ status, problem })) return undefined;
  return (
    `${status === 404 ? "If the name is right, the" : "The"} platform may lack ` +
    `${route.method} ${route.route}: \`svc verify calls\` reports what it has`
  );
}

/** True if a failure may mean that the platform lacks the route; a 404 may also mean the thing. */
export function mayLackRoute(error: {
  readonly status: number | undefined;
  readonly problem: Problem | undefined;
}): boolean {
  const { status, problem } = error;
  if (status === 405 || status === 501) return true;
  return status === 404 && !namesMissing(field(problem, "code"));
}

function conflictHint(problem: Problem | undefined): string | undefined {
  const version = problem?.["currentVersion"];
  if (typeof version !== "number") return undefined;
  const changed = problem?.["changedFields"];
  const names = Array.isArray(changed)
    ? changed.filter((name): name is string => typeof name === "string")
    : [];
  const fields = names.length === 0 ? "" : `; changed since: ${shortText(names.join(", "), 200)}`;
  return `The current version is ${version}${fields}`;
}
