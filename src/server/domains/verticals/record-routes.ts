import type { Method } from "#contract/route.ts";
import { problemTypes, Refusal, type ProblemCode } from "#contract/problems.ts";
import type { JsonObject } from "#contract/values.ts";
import { given } from "#lib/given.ts";
import { isJsonObject } from "#lib/json/value.ts";
import { isPathSegment } from "#lib/text/path-segment.ts";
import type { VersionMatch } from "../../work/caller.ts";

/** Answers a request of the platform itself as one of a client: with the same checks. */
export type Answering = (request: Request) => Promise<Response>;

/** The caller of a declared route, and the fields that its inner requests repeat. */
export interface DeclaredCaller {
  readonly workspaceId: string;
  readonly baseUrl: string;
  readonly headers: Headers;
  readonly requestId: string;
  readonly signal: AbortSignal;
  readonly ifMatch: VersionMatch | undefined;
}

export interface InnerRequest {
  readonly method: Method;
  readonly path: string;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface InnerAnswer {
  readonly status: number;
  /** `undefined` for an empty body. */
  readonly body: unknown;
}

const repeated = ["authorization", "accept-language"];

/**
 * Sends a request to the platform's own routes in the name of the caller, so that a declared route
 * never gives more than the caller's role. Throws the refusal of the inner route.
 */
export async function sendInner(
  fetch: Answering,
  caller: DeclaredCaller,
  { method, path, body, headers: fields }: InnerRequest,
): Promise<InnerAnswer> {
  const headers = new Headers(fields);
  for (const name of repeated) {
    const value = caller.headers.get(name);
    if (value !== null) headers.set(name, value);
  }
  headers.set("x-request-id", caller.requestId);
  const text = body === undefined ? undefined : JSON.stringify(body);
  if (text !== undefined) headers.set("content-type", "application/json");
  const response = await fetch(
    new Request(caller.baseUrl + path, {
      method,
      headers,
      signal: caller.signal,
      ...given({ body: text }),
    }),
  );
  const answered = await response.text();
  const value: unknown = answered === "" ? undefined : JSON.parse(answered);
  if (response.ok) return { status: response.status, body: value };
  throw refusalOf(value, response);
}

/** Members of a problem that its refusal makes again, or that name the inner request. */
const ownMembers = new Set(
  "type title status detail instance code requestId retryable errors".split(" "),
);

function refusalOf(problem: unknown, { status, headers }: Response): Refusal {
  const { code, detail, errors, ...rest } = isJsonObject(problem) ? problem : {};
  if (!isProblemCode(code)) throw new Error(`a route of records answered ${status}`);
  const members = Object.entries(rest).filter(([name]) => !ownMembers.has(name));
  const retryAfter = headers.get("retry-after");
  return new Refusal(code, {
    members: Object.fromEntries(members),
    ...(typeof detail === "string" ? { detail } : {}),
    ...(Array.isArray(errors) ? { errors } : {}),
    ...(retryAfter === null ? {} : { headers: { "retry-after": retryAfter } }),
  });
}

function isProblemCode(code: unknown): code is ProblemCode {
  return typeof code === "string" && Object.hasOwn(problemTypes, code);
}

/** The address of records, of one, or of an action. */
export function recordPath(workspaceId: string, ...segments: readonly string[]): string {
  return ["/v4/data/resources", workspaceId, ...segments.map(encoded)].join("/");
}

/** The stage of a workflow that declared routes ask. */
export function chatPath(workspaceId: string, workflow: string, stage: string): string {
  return ["/v4/ai/chat", workspaceId, ...[workflow, stage].map(encoded)].join("/");
}

function encoded(segment: string): string {
  if (isPathSegment(segment)) return encodeURIComponent(segment);
  throw new Refusal("not-found");
}

/** The first record of an inner answer; undefined for an empty page. */
export function recordsIn(body: unknown): readonly JsonObject[] {
  const items = isJsonObject(body) ? body["items"] : undefined;
  return Array.isArray(items) ? items.filter(isJsonObject) : [];
}
