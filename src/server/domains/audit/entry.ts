import type { AuditEntry } from "#contract/workspaces/audit.ts";
import { given } from "#lib/given.ts";
import type { RouteDefinition } from "#contract/route.ts";
import type { Principal } from "../../work/caller.ts";
import type { ChangeNote, Recording, RequestRecord, Work } from "../../work/work.ts";

/** The facts of a request that the log uses; the pipeline's exchange has them. */
export interface AuditedRequest extends RequestRecord {
  readonly recordings: Recording[];
  readonly method: string;
  readonly path: string;
  readonly requestId: string;
  readonly address: string;
  readonly endpoint: { readonly id: string; readonly definition: RouteDefinition } | undefined;
  readonly signedIn: Principal | undefined;
  readonly namedWorkspaceId: string | undefined;
  readonly response: Response | undefined;
  /** The code of the problem that answers it. */
  readonly refusal: string | undefined;
  /** The response is that of an earlier request, or of another thread. */
  readonly isRepeated: boolean;
  readonly resultBody: unknown;
  readonly resultFields: Readonly<Record<string, string>> | undefined;
  readonly work: Work;
}

/** An entry before it has its place in the log. */
export interface NewEntry {
  /** Empty for the log of the platform. */
  readonly workspaceId: string;
  readonly at: string;
  readonly requestId: string;
  /** Empty for a caller without a valid token. */
  readonly actor: string;
  readonly actorName: string | null;
  readonly action: string;
  readonly outcome: AuditEntry["outcome"];
  readonly status: number;
  readonly code: string | null;
  readonly method: string;
  readonly path: string;
  readonly address: string;
  readonly changes: object | null;
}

const longestPath = 500;

/** Refusals that say who may do what; reads have an entry for these alone. */
const accessRefusals: ReadonlySet<number> = new Set([401, 403]);

/** Facts of an answer that tell which thing was changed; none of them is a secret. */
const answerFacts = [
  "id",
  "version",
  "memberId",
  "keyId",
  "documentId",
  "documentNumber",
  "jobId",
  "conversation_id",
  "slug",
  "status",
] as const;

/** True if the method of a request is one that changes nothing. */
export function isRead({ method }: AuditedRequest): boolean {
  return method === "GET" || method === "HEAD" || method === "OPTIONS";
}

/** True if a request may change something. */
export function isChange(exchange: AuditedRequest): boolean {
  const { asks, unlogged } = exchange.endpoint?.definition ?? {};
  return !isRead(exchange) && asks !== true && unlogged !== true;
}

/** The entry of an answered request; undefined for one that the log leaves out. */
export function entryOfAnswer(exchange: AuditedRequest, at: Date): NewEntry | undefined {
  const { endpoint, response, refusal, method, path } = exchange;
  if (response === undefined || exchange.isRepeated) return undefined;
  const { status } = response;
  const isPage = endpoint === undefined;
  // Other pages make requests that have entries, such as those of agents.
  if (isPage && !path.startsWith("/auth/") && !accessRefusals.has(status)) return undefined;
  // Pages of the sign-in answer with a page also where a password was wrong.
  if (isPage && (method !== "POST" || status === 404 || status === 405)) return undefined;
  if (status < 400) {
    if (!isPage && !isChange(exchange)) return undefined;
    return entryOf(exchange, { at, status, outcome: "done", code: null });
  }
  if (status === 429 || refusal === "draining") return undefined;
  const isStranger = status === 404 && exchange.workspace === undefined && isNamed(exchange);
  if (!isPage && !isChange(exchange) && !accessRefusals.has(status) && !isStranger) {
    return undefined;
  }
  const outcome = status >= 500 ? "failed" : "refused";
  return entryOf(exchange, { at, status, outcome, code: refusal ?? null, path });
}

interface Answered {
  readonly at: Date;
  readonly status: number;
  readonly outcome: AuditEntry["outcome"];
  readonly code: string | null;
  readonly path?: string;
}

const pageStatus = 200;

/** The entry of a change, which its transaction writes before the answer is known. */
export function entryOfChange(
  exchange: AuditedRequest,
  note: ChangeNote | undefined,
  at: Date,
): NewEntry {
  const status = exchange.endpoint?.definition.reply.status ?? pageStatus;
  return entryOf(exchange, { at, status, outcome: "done", code: null }, note);
}

function entryOf(
  exchange: AuditedRequest,
  { at, status, outcome, code }: Answered,
  note: ChangeNote | undefined = exchange.note,
): NewEntry {
  const { endpoint, signedIn, path } = exchange;
  return {
    workspaceId:
      note?.workspaceId ??
      exchange.workspace?.id ??
      exchange.namedWorkspaceId ??
      exchange.enteredWorkspaceId ??
      "",
    at: at.toISOString(),
    requestId: exchange.requestId,
    actor: signedIn?.oid ?? "",
    actorName: nameOf(signedIn),
    action: endpoint?.id ?? note?.action ?? pageAction(path),
    outcome,
    status,
    code,
    method: exchange.method,
    path: path.slice(0, longestPath),
    address: exchange.address,
    changes: changesOf(exchange, outcome, note),
  };
}

/** A key of a service account has no address. */
function nameOf(principal: Principal | undefined): string | null {
  if (principal === undefined) return null;
  return principal.email === "" ? principal.displayName : principal.email;
}

/** Each change has one, so this makes no object that the entry does not keep. */
function changesOf(
  exchange: AuditedRequest,
  outcome: AuditEntry["outcome"],
  note: ChangeNote | undefined,
): object | null {
  // A refused request has changed nothing.
  if (outcome !== "done") return note?.target === undefined ? null : { target: note.target };
  const facts = factsOf(exchange);
  const target = note?.target === undefined ? facts : { ...facts, ...note.target };
  if (note?.before === undefined && note?.after === undefined) return target && { target };
  const { before, after } = note;
  return given({ target: target ?? undefined, before, after });
}

/** The facts of an answer; null without one. */
function factsOf({ resultBody, resultFields }: AuditedRequest) {
  const facts = factsIn(resultBody);
  const location = resultFields?.["location"];
  return location === undefined ? facts : { ...facts, ...madeAt(location, resultFields?.["etag"]) };
}

function factsIn(body: unknown): Record<string, string | number> | null {
  if (typeof body !== "object" || body === null) return null;
  let facts: Record<string, string | number> | null = null;
  for (const name of answerFacts) {
    const value: unknown = Reflect.get(body, name);
    if (typeof value === "string") (facts ??= {})[name] = value.slice(0, 200);
    else if (typeof value === "number") (facts ??= {})[name] = value;
  }
  return facts;
}

/** The id and the version of a new record, from the header fields of its answer. */
function madeAt(location: string, etag: string | undefined): Record<string, string | number> {
  // The address of a record's file ends with the name of its property.
  const [place = ""] = location.split("/files/");
  const id = place.slice(place.lastIndexOf("/") + 1, 200);
  const version = Number(etag?.replaceAll('"', ""));
  return Number.isInteger(version) ? { id, version } : { id };
}

/** The action of `/auth/oauth2/v2.0/token` is `auth.oauth2.v2.0.token`. */
function pageAction(path: string): string {
  return path.slice(1, 100).replaceAll("/", ".");
}

function isNamed(exchange: AuditedRequest): boolean {
  return exchange.signedIn !== undefined && exchange.namedWorkspaceId !== undefined;
}

/** The entry of a change by the operator, with a command on the platform's machine. */
export function entryOfOperator(
  action: string,
  changes: object,
  { at, workspaceId = "" }: { readonly at: Date; readonly workspaceId?: string },
): NewEntry {
  return {
    workspaceId,
    at: at.toISOString(),
    requestId: "",
    actor: "",
    actorName: "operator",
    action,
    outcome: "done",
    status: 0,
    code: null,
    method: "",
    path: "",
    address: "this machine",
    changes,
  };
}

/** The entry of a change of a membership by the groups that a user's token names. */
export function entryOfSignIn(
  action: string,
  changes: object,
  of: {
    readonly at: Date;
    readonly workspaceId: string;
    readonly user: { readonly oid: string; readonly email: string; readonly display_name: string };
  },
): NewEntry {
  const { at, user, workspaceId } = of;
  const actorName = user.email === "" ? user.display_name : user.email;
  const entry = entryOfOperator(action, changes, { at, workspaceId });
  return { ...entry, actor: user.oid, actorName, address: "" };
}
