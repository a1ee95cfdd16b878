import { catalogError } from "#contract/errors.ts";
import { baseUrlText } from "#lib/network/base-url.ts";
import { membersOf } from "#lib/json/value.ts";
import { shortText } from "#lib/text/short.ts";
import { canonicalUuid } from "#lib/uuid.ts";
import type {
  ByteSource,
  CallOptions,
  ProgressListener,
  UnsizedSource,
  UploadFile,
} from "../options.ts";
import { isRead, type Outgoing, type StreamedBody } from "../transport/outgoing.ts";
import { checkedValue } from "./checked-value.ts";
import type { ClientRoute, SentPart } from "../route.ts";

/** A call's input before it is checked. */
export interface LooseInput extends CallOptions {
  readonly params?: object | undefined;
  readonly query?: object | undefined;
  readonly body?: unknown;
  readonly fields?: object | undefined;
  readonly files?: readonly UploadFile[] | undefined;
  readonly content?: ByteSource | UnsizedSource | undefined;
  readonly contentType?: string | undefined;
  readonly onProgress?: ProgressListener | undefined;
}

/** The client's settings for every request. */
export interface CallDefaults {
  readonly baseUrl: URL;
  readonly tenantId: string | undefined;
  readonly userAgent: string;
}

/** Names of every option of a call; others would have no effect. */
export const callNames = ["tenantId", "signal", "timeoutMs", "headers", "idempotencyKey"] as const;
const inputNames: ReadonlySet<string> = new Set([
  ...callNames,
  ...(["params", "query", "body", "fields", "files", "content", "contentType"] as const),
  "onProgress",
]);

/** Throws E305 for an option that has no effect, e.g. a misspelt one. */
export function refuseUnknown(
  options: object,
  known: ReadonlySet<string>,
  owner = "this call",
): void {
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined || known.has(name)) continue;
    const details = `${JSON.stringify(shortText(name, 64))} is not an option of ${owner}`;
    throw catalogError("E305", { details });
  }
}

const workspaceHeader = "x-tenant-id";

/** Headers that only the client sets: credentials and framing. */
const reservedHeaders: ReadonlySet<string> = new Set([
  "authorization",
  "proxy-authorization",
  "cookie",
  "host",
  "content-length",
  "transfer-encoding",
  "connection",
  workspaceHeader,
]);

/** A call as a request, checked before anything is sent or opened. Throws E302, E303 and E305. */
export async function encodeCall(
  route: ClientRoute,
  input: LooseInput,
  defaults: CallDefaults,
  accept: string,
): Promise<Outgoing> {
  refuseUnknown(input, inputNames);
  await route.loadShapes();
  const workspace = workspaceOf(route, input, defaults);
  const path = await fillPath(route, input, workspace);
  const query = await encodeQuery(route, input);
  const headers = requestHeaders(input, defaults, workspace, accept);
  if (route.idempotent === true) {
    headers.set("idempotency-key", idempotencyKey(input.idempotencyKey));
  }
  return {
    method: route.method,
    url: `${baseUrlText(defaults.baseUrl)}${path}${query}`,
    route: route.path,
    asks: route.asks === true || isRead(route.method),
    many: route.many === true,
    signedIn: route.isPublic !== true,
    body: await encodeBody(route, input, headers),
    headers,
  };
}

/** The headers of a request; E305 for one that the caller may not set. */
export function requestHeaders(
  { headers: given = {} }: CallOptions,
  { userAgent }: CallDefaults,
  workspace: string | undefined,
  accept: string,
): Headers {
  const headers = new Headers({ "user-agent": userAgent });
  for (const [name, value] of Object.entries(given)) {
    if (reservedHeaders.has(name.toLowerCase())) {
      throw catalogError("E305", { details: `the header ${name} can't be set` });
    }
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name) || !/^[\t\x20-\x7e]*$/.test(value)) {
      throw catalogError("E305", { details: "a header has a name or value that can't be sent" });
    }
    headers.set(name, value);
  }
  if (workspace !== undefined) headers.set(workspaceHeader, workspace);
  if (!headers.has("accept")) headers.set("accept", accept);
  return headers;
}

/** The given or a new idempotency key; E305 for one that no header can carry. */
export function idempotencyKey(given: string | undefined): string {
  if (given === undefined) return crypto.randomUUID();
  if (/^[\x21-\x7e]{1,255}$/.test(given)) return given;
  throw catalogError("E305", {
    details: "the idempotency key must be 1 to 255 visible ASCII characters",
  });
}

export function isWorkspaceId(id: string): boolean {
  return canonicalUuid(id) !== undefined;
}

export function isContentType(text: string): boolean {
  return /^[\x21-\x7e][\x20-\x7e]{0,254}$/.test(text);
}

function workspaceOf(
  route: ClientRoute,
  input: LooseInput,
  defaults: CallDefaults,
): string | undefined {
  if (route.workspace === "none") return undefined;
  if (route.workspace === "tenant_id") {
    const id = tenantIdIn(input.query) ?? tenantIdIn(input.body);
    // The schema refuses another value.
    return typeof id === "string" && isWorkspaceId(id) ? id : undefined;
  }
  const params: Readonly<Record<string, unknown>> = { ...input.params };
  const inPath = route.path.includes("{parentId}") ? params["parentId"] : params["tenantId"];
  const id = inPath ?? input.tenantId ?? defaults.tenantId;
  if (typeof id !== "string" || id === "") {
    throw catalogError("E303", { field: "tenantId" }, { hint: "Run `svc workspace select`" });
  }
  if (isWorkspaceId(id)) return id;
  throw catalogError("E305", { details: "#/path/tenantId must be a workspace ID (UUID)" });
}

function tenantIdIn(part: unknown): unknown {
  return typeof part === "object" && part !== null && "tenant_id" in part
    ? part.tenant_id
    : undefined;
}

async function fillPath(
  route: ClientRoute,
  input: LooseInput,
  workspace: string | undefined,
): Promise<string> {
  if (!route.path.includes("{")) return route.path;
  const given: Record<string, unknown> = { ...input.params };
  if (route.path.includes("{tenantId}") && workspace !== undefined) {
    given["tenantId"] = workspace;
  }
  const params = membersOf(await sentPart(route, "params", given));
  return route.path.replace(/\{(\w+)\}/g, (_whole, name: string) => {
    const value = scalarText(params?.get(name) ?? "");
    // URL parsing removes dot segments even when they are percent-encoded, and some gateways
    // decode an encoded slash.
    if (value.split(/[/\\]/).some((segment) => /^\.{0,2}$/.test(segment))) {
      throw catalogError("E305", { details: `#/path/${name} can't be a path segment` });
    }
    const isRest = route.takesRest === true && route.path.endsWith(`{${name}}`);
    return isRest ? value.split("/").map(encodeURIComponent).join("/") : encodeURIComponent(value);
  });
}

async function encodeQuery(route: ClientRoute, input: LooseInput): Promise<string> {
  const given = input.query ?? {};
  if (route.hasQuery !== true) {
    const unknown = Object.keys(given)[0];
    if (unknown === undefined) return "";
    throw catalogError("E305", { details: `#/query/${unknown} is not known here` });
  }
  const search = new URLSearchParams();
  for (const [name, value] of membersOf(await sentPart(route, "query", given)) ?? []) {
    if (value !== undefined) search.append(name, scalarText(value));
  }
  const text = search.toString();
  return text === "" ? "" : `?${text}`;
}

function scalarText(value: unknown): string {
  return typeof value === "string" ? value.toWellFormed() : JSON.stringify(value);
}

async function encodeBody(
  route: ClientRoute,
  input: LooseInput,
  headers: Headers,
): Promise<Outgoing["body"]> {
  const definition = route.body;
  if (definition === undefined) {
    if (input.body === undefined) return undefined;
    throw catalogError("E305", { details: "the route takes no body" });
  }
  if (definition.type === "json") {
    const body = definition.isOptional === true ? (input.body ?? {}) : input.body;
    const sent = await sentPart(route, "body", body);
    headers.set("content-type", "application/json");
    return JSON.stringify(sent);
  }
  const { streamedBytes, streamedForm } = await import("./uploads.ts");
  if (definition.type === "multipart") {
    const fields = membersOf(await sentPart(route, "fields", input.fields ?? {}));
    const form = streamedForm(
      fields ?? new Map(),
      definition.files,
      input.files ?? [],
      input.onProgress,
    );
    return framed(form, headers);
  }
  if (input.content === undefined) throw catalogError("E303", { field: "content" });
  const contentType = input.contentType ?? definition.contentType;
  if (!isContentType(contentType)) {
    throw catalogError("E305", { details: "the content type can't be sent" });
  }
  return framed(streamedBytes(input.content, contentType, input.onProgress), headers);
}

function framed(body: StreamedBody, headers: Headers): Outgoing["body"] {
  headers.set("content-type", body.contentType);
  if (body.size !== undefined) headers.set("content-length", String(body.size));
  return body;
}

/**
 * A part of a request as the platform's schema returns it, or as it is if the platform alone checks
 * it. Throws E305 for an invalid path or query and E302 for an invalid body, with pointers.
 */
async function sentPart(route: ClientRoute, name: SentPart, value: unknown): Promise<unknown> {
  const form = route.formOf(name);
  if (form === undefined) return value;
  const outcome = checkedValue(form, value);
  const dropped = outcome.fits && name !== "body" ? droppedMember(value, outcome.value) : undefined;
  if (outcome.fits && dropped === undefined) return outcome.value;
  const { invalidPart, unknownMember } = await import("./invalid-part.ts");
  throw outcome.fits
    ? unknownMember(name, String(dropped))
    : invalidPart(name, value, outcome.issues);
}

/** A given member that the platform does not name, which would have no effect. */
function droppedMember(given: unknown, sent: unknown): string | undefined {
  const known = membersOf(sent);
  return [...(membersOf(given) ?? [])].find(
    ([name, value]) => value !== undefined && known?.has(name) !== true,
  )?.[0];
}
