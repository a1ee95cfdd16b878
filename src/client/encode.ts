import type * as z from "zod";
import { catalogError, type CatalogError } from "#contract/errors.ts";
import type { RouteDefinition } from "#contract/route.ts";
import { schemaFaults } from "#contract/schema-faults.ts";
import { baseUrlText } from "#lib/base-url.ts";
import { pointer } from "#lib/json-pointer.ts";
import { shortText } from "#lib/short-text.ts";
import type {
  ByteSource,
  CallOptions,
  ProgressListener,
  UnsizedSource,
  UploadFile,
} from "./options.ts";
import { isRead, type Outgoing, type StreamedBody } from "./outgoing.ts";
import { streamedBytes, streamedForm } from "./uploads.ts";

/** A call's input as it arrives, before the route's schemas have seen it. */
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

/** What the client knows that a call need not say. */
export interface CallDefaults {
  readonly baseUrl: URL;
  readonly tenantId: string | undefined;
  readonly userAgent: string;
}

const workspaceHeader = "x-tenant-id";
const shownFaults = 5;
const shownCharacters = 80;

/** Header fields that only the client itself sets: credentials and framing. */
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

/**
 * A call as a request, checked against the route's schemas. Every fault is refused here, before any
 * network call and before any file is opened: E305 for params, query and header fields, E302 for
 * bodies, E303 for a missing workspace.
 */
export function encodeCall(
  route: RouteDefinition,
  input: LooseInput,
  defaults: CallDefaults,
  accept: string,
): Outgoing {
  const workspace = workspaceOf(route, input, defaults);
  const path = fillPath(route, input, workspace);
  const query = encodeQuery(route, input);
  const headers = callHeaders(input.headers, defaults.userAgent);
  if (workspace !== undefined) headers.set(workspaceHeader, workspace);
  if (!headers.has("accept")) headers.set("accept", accept);
  if (route.idempotent === true) {
    headers.set("idempotency-key", idempotencyKey(input.idempotencyKey));
  }
  const body = encodeBody(route, input, headers);
  return {
    method: route.method,
    url: `${baseUrlText(defaults.baseUrl)}${path}${query}`,
    route: route.path,
    asks: route.asks === true || isRead(route.method),
    many: route.many === true,
    signedIn: route.access !== "public",
    headers,
    body,
  };
}

/** The caller's own header fields; E305 for one that it may not set. */
export function callHeaders(
  given: Readonly<Record<string, string>> | undefined,
  userAgent: string,
): Headers {
  const headers = new Headers({ "user-agent": userAgent });
  for (const [name, value] of Object.entries(given ?? {})) {
    if (reservedHeaders.has(name.toLowerCase())) {
      throw catalogError("E305", { details: `the header field ${name} can't be set` });
    }
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name) || !/^[\t\x20-\x7e]*$/.test(value)) {
      throw catalogError("E305", {
        details: "a header field has a name or value that can't be sent",
      });
    }
    headers.set(name, value);
  }
  return headers;
}

/** The key that a repeated request is known by; E305 for one that no header field can carry. */
export function idempotencyKey(given: string | undefined): string {
  if (given === undefined) return crypto.randomUUID();
  if (/^[\x21-\x7e]{1,255}$/.test(given)) return given;
  throw catalogError("E305", { details: "the idempotency key is not 1 to 255 visible characters" });
}

function workspaceOf(
  route: RouteDefinition,
  input: LooseInput,
  defaults: CallDefaults,
): string | undefined {
  if (route.workspace === "none") return undefined;
  const params: Readonly<Record<string, unknown>> = { ...input.params };
  const byPath = route.path.includes("{parentId}") ? params["parentId"] : params["tenantId"];
  const found = byPath ?? input.tenantId ?? defaults.tenantId;
  if (typeof found !== "string" || found === "") {
    throw catalogError("E303", { field: "tenantId" }, { hint: "Run `svc workspace select`" });
  }
  if (!/^[\w.-]{1,255}$/.test(found)) {
    throw catalogError("E305", { details: "#/path/tenantId is not a workspace ID" });
  }
  return found;
}

function fillPath(
  route: RouteDefinition,
  input: LooseInput,
  workspace: string | undefined,
): string {
  if (route.params === undefined) return route.path;
  const given: Record<string, unknown> = { ...input.params };
  if (route.path.includes("{tenantId}") && workspace !== undefined) {
    given["tenantId"] = workspace;
  }
  const params = parsePart(route.params, given, "path", "E305");
  return route.path.replace(/\{(\w+)\}/g, (_whole, name: string) => {
    const value = scalarText(params[name] ?? "");
    // These are not data but steps up the path, whatever is done to their characters.
    if (value === "" || value === "." || value === "..") {
      throw catalogError("E305", { details: `#/path/${name} can't be a path segment` });
    }
    return encodeURIComponent(value);
  });
}

function encodeQuery(route: RouteDefinition, input: LooseInput): string {
  const given = input.query ?? {};
  if (route.query === undefined) {
    const unknown = Object.keys(given)[0];
    if (unknown === undefined) return "";
    throw catalogError("E305", { details: `#/query/${unknown} is not known here` });
  }
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(parsePart(route.query, given, "query", "E305"))) {
    if (value === undefined) continue;
    search.append(name, scalarText(value));
  }
  const text = search.toString();
  return text === "" ? "" : `?${text}`;
}

function scalarText(value: unknown): string {
  return typeof value === "string" ? value.toWellFormed() : JSON.stringify(value);
}

function encodeBody(route: RouteDefinition, input: LooseInput, headers: Headers): Outgoing["body"] {
  const definition = route.body;
  if (definition === undefined) return undefined;
  if (definition.type === "json") {
    const result = definition.schema.safeParse(input.body);
    if (!result.success) throw invalidPart(result.error, "", "E302");
    headers.set("content-type", "application/json");
    return JSON.stringify(result.data);
  }
  if (definition.type === "multipart") {
    const fields = parsePart(definition.fields, input.fields ?? {}, "", "E302");
    const form = streamedForm(fields, definition.files, input.files ?? [], input.onProgress);
    return framed(form, headers);
  }
  if (input.content === undefined) throw catalogError("E303", { field: "content" });
  const contentType = input.contentType ?? definition.contentType;
  if (!/^[\x21-\x7e][\x20-\x7e]{0,254}$/.test(contentType)) {
    throw catalogError("E305", { details: "the content type can't be sent" });
  }
  return framed(streamedBytes(input.content, contentType, input.onProgress), headers);
}

function framed(body: StreamedBody, headers: Headers): Outgoing["body"] {
  headers.set("content-type", body.contentType);
  if (body.size !== undefined) headers.set("content-length", String(body.size));
  return body;
}

/** Parses one part strictly: a member that the schema drops was never meant to be sent. */
function parsePart(
  schema: z.ZodType<object>,
  value: object,
  part: string,
  code: "E302" | "E305",
): Readonly<Record<string, unknown>> {
  const result = schema.safeParse(value);
  if (!result.success) {
    const hint = part === "path" ? givenText({ ...value }, result.error) : undefined;
    throw invalidPart(result.error, part, code, hint);
  }
  const parsed: Readonly<Record<string, unknown>> = { ...result.data };
  for (const [name, given] of Object.entries(value)) {
    if (given !== undefined && !Object.hasOwn(parsed, name)) {
      throw refused(code, [`${pointer(...placeOf(part, [name]))} is not known here`]);
    }
  }
  return parsed;
}

/** The text that stands in the address, quoted: a line end that came along would not be seen else. */
function givenText(
  params: Readonly<Record<string, unknown>>,
  { issues }: z.ZodError,
): string | undefined {
  const name = issues[0]?.path[0];
  const given = typeof name === "string" ? params[name] : undefined;
  return typeof given === "string"
    ? `Given is ${shortText(JSON.stringify(given), shownCharacters)}`
    : undefined;
}

function invalidPart(
  error: z.ZodError,
  part: string,
  code: "E302" | "E305",
  hint?: string,
): CatalogError {
  return refused(
    code,
    schemaFaults(error).map(({ path, detail }) => `${pointer(...placeOf(part, path))} ${detail}`),
    hint,
  );
}

function refused(code: "E302" | "E305", faults: readonly string[], hint?: string): CatalogError {
  const more = faults.length - shownFaults;
  const shown = faults.slice(0, shownFaults).join("; ");
  const details = more > 0 ? `${shown}; and ${more} more` : shown;
  return catalogError(code, { details }, hint === undefined ? {} : { hint });
}

/** The names on the way to a value; a body's own begin at the top. */
function placeOf(part: string, path: readonly PropertyKey[]): string[] {
  return [...(part === "" ? [] : [part]), ...path.map(String)];
}
