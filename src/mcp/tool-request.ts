import type { JsonObject } from "#contract/values.ts";
import { fileTypeHeader } from "#contract/shared-names.ts";
import { isJsonObject } from "#lib/json/value.ts";
import { isPathSegment } from "#lib/text/path-segment.ts";
import type { AgentRequest } from "./host.ts";
import { idempotencyKeyArgument, ifMatchArgument } from "./tool-arguments.ts";
import { filledFields, maximumFiles, queryOf, toolSchema } from "./tool-schemas.ts";
import type { AgentTool } from "./tools.ts";

/** A fault in a tool's arguments; the message names the argument. */
export class ArgumentFault extends Error {
  override readonly name = "ArgumentFault";
}

/** The arguments of routes: turning the schemas of one takes longer than its call. */
const knownArguments = new WeakMap<AgentTool["route"], readonly string[]>();

function argumentsOf(route: AgentTool["route"]): readonly string[] {
  const found = knownArguments.get(route) ?? Object.keys(toolSchema(route, true).properties);
  knownArguments.set(route, found);
  return found;
}

type RequestParts = Omit<AgentRequest, "signal">;

/** The request that a tool's arguments describe. The platform validates the values. */
export function toolRequest(
  { route, name }: AgentTool,
  given: Readonly<JsonObject>,
  workspaceId: string | undefined,
): RequestParts {
  const known = argumentsOf(route);
  for (const argument of Object.keys(given)) {
    if (!known.includes(argument)) {
      throw new ArgumentFault(
        `${JSON.stringify(argument.slice(0, 100))} is not an argument of ${name}; ` +
          `it has ${known.join(", ") || "none"}`,
      );
    }
  }
  const inPath = new Set<string>();
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_whole, parameter: string) => {
    inPath.add(parameter);
    const isWorkspace = parameter === "tenantId" && route.workspace === "path";
    if (route.takesRest === true && route.path.endsWith(`{${parameter}}`)) {
      const segments = textOf(parameter, given[parameter]).split("/");
      return segments.map((segment) => encodedSegment(parameter, segment)).join("/");
    }
    return encodedSegment(parameter, given[parameter] ?? (isWorkspace ? workspaceId : undefined));
  });
  const tenantId =
    route.workspace === "header" ? textOf("tenantId", given["tenantId"] ?? workspaceId) : undefined;
  const headers: Record<string, string> = {};
  const version = given[ifMatchArgument.name];
  if (version !== undefined) {
    if (typeof version !== "number" || !Number.isSafeInteger(version))
      throw new ArgumentFault("ifMatch must be a whole number");
    headers["if-match"] = `"${version}"`;
  }
  const key = given[idempotencyKeyArgument.name];
  return {
    method: route.method,
    path,
    query: queryPairs(queryOf(route), given, inPath),
    tenantId,
    headers,
    // A repeated call is a new one unless the agent gives a key.
    idempotencyKey:
      route.idempotent === true ? textOf("idempotencyKey", key ?? crypto.randomUUID()) : undefined,
    ...bodyOf(route.body, given, tenantId, headers),
  };
}

function queryPairs(
  schema: AgentTool["route"]["query"],
  given: Readonly<JsonObject>,
  inPath: ReadonlySet<string>,
): [string, string][] {
  if (schema === undefined || !("shape" in schema)) return [];
  return Object.keys(schema.shape as object).flatMap((name): [string, string][] => {
    const value = inPath.has(name) ? undefined : given[name];
    if (value === undefined || value === null) return [];
    // Agents write a filter as an object, although the query has its JSON text.
    return [[name, typeof value === "object" ? JSON.stringify(value) : textOf(name, value)]];
  });
}

/** One segment of a path, percent-encoded. Throws {@link ArgumentFault} for any other text. */
export function encodedSegment(name: string, value: unknown): string {
  const text = textOf(name, value);
  if (!isPathSegment(text) || /[/\\\p{Cc}]/u.test(text)) {
    throw new ArgumentFault(`${name} must be one segment of a path`);
  }
  return encodeURIComponent(text.toWellFormed());
}

function textOf(name: string, value: unknown): string {
  if (value === undefined || value === null) throw new ArgumentFault(`${name} is required`);
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  throw new ArgumentFault(`${name} must be a text`);
}

function bodyOf(
  body: AgentTool["route"]["body"],
  given: Readonly<JsonObject>,
  tenantId: string | undefined,
  headers: Record<string, string>,
): Pick<RequestParts, "body" | "contentType"> {
  if (body === undefined) return { body: undefined, contentType: undefined };
  if (body.type === "json") {
    const value = given["body"];
    if (value === undefined && body.isOptional !== true)
      throw new ArgumentFault("body is required");
    const text = JSON.stringify(value ?? {});
    return { body: new TextEncoder().encode(text), contentType: "application/json" };
  }
  if (body.type === "bytes") {
    const { bytes, contentType } = fileOf("file", given["file"]);
    if (contentType !== undefined) headers[fileTypeHeader] = contentType;
    return { body: bytes, contentType: body.contentType };
  }
  const fields = given["body"] ?? {};
  if (!isJsonObject(fields)) throw new ArgumentFault("body must be an object");
  const parts: Part[] = [
    ...filledFields(body.fields, tenantId ?? ""),
    ...Object.entries(fields).map(([name, value]): [string, string] => [name, textOf(name, value)]),
  ].map(([name, value]) => ({ name, bytes: new TextEncoder().encode(value) }));
  const files = given["files"];
  if (!Array.isArray(files) || files.length === 0 || files.length > maximumFiles) {
    throw new ArgumentFault(`files must be a list of 1 to ${maximumFiles} files`);
  }
  files.forEach((file: unknown, index) => {
    parts.push({ name: body.files, ...fileOf(`files[${index}]`, file) });
  });
  return multipart(parts);
}

interface Part {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly filename?: string | undefined;
  readonly contentType?: string | undefined;
}

function fileOf(
  place: string,
  file: unknown,
): { bytes: Uint8Array<ArrayBuffer>; filename: string; contentType: string | undefined } {
  if (!isJsonObject(file)) throw new ArgumentFault(`${place} must be an object`);
  const { text, base64, filename = "file", contentType } = file;
  if (typeof filename !== "string") throw new ArgumentFault(`${place}.filename must be a text`);
  if (contentType !== undefined && !isMediaType(contentType)) {
    throw new ArgumentFault(`${place}.contentType must be a media type`);
  }
  const facts = { filename, contentType };
  if (typeof text === "string" && base64 === undefined) {
    return { bytes: new TextEncoder().encode(text), ...facts };
  }
  if (typeof base64 === "string" && text === undefined) {
    try {
      return { bytes: Uint8Array.fromBase64(base64), ...facts };
    } catch {
      throw new ArgumentFault(`${place}.base64 is not base64`);
    }
  }
  throw new ArgumentFault(`${place} needs either text or base64`);
}

function isMediaType(value: unknown): value is string {
  return (
    typeof value === "string" && /^[\w.+-]{1,80}\/[\w.+-]{1,80}(?:; ?[\w.+="-]{1,80})?$/.test(value)
  );
}

/** A form in memory (RFC 7578); a message's limit bounds it. */
function multipart(parts: readonly Part[]): Pick<RequestParts, "body" | "contentType"> {
  const boundary = `svc-${crypto.randomUUID()}`;
  const encoder = new TextEncoder();
  const chunks = parts.flatMap(({ name, bytes, filename, contentType }) => {
    const file = filename === undefined ? "" : `; filename="${quoted(filename)}"`;
    const type = contentType === undefined ? "" : `\r\ncontent-type: ${contentType}`;
    const place = `form-data; name="${quoted(name)}"${file}`;
    const head = `--${boundary}\r\ncontent-disposition: ${place}${type}`;
    return [encoder.encode(`${head}\r\n\r\n`), bytes, encoder.encode("\r\n")];
  });
  const whole = Buffer.concat([...chunks, encoder.encode(`--${boundary}--\r\n`)]);
  return {
    body: new Uint8Array(whole),
    contentType: `multipart/form-data; boundary=${boundary}`,
  };
}

/** The name as browsers write it (WHATWG HTML, multipart form data). */
function quoted(text: string): string {
  return text.toWellFormed().replaceAll("\n", "%0A").replaceAll("\r", "%0D").replaceAll('"', "%22");
}
