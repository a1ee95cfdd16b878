import { catalogError, type CatalogError } from "#contract/errors.ts";
import { baseUrlText } from "#lib/network/base-url.ts";
import {
  idempotencyKey,
  isContentType,
  callNames,
  isWorkspaceId,
  refuseUnknown,
  requestHeaders,
  type CallDefaults,
} from "./encode.ts";
import type { RequestOptions } from "../surface.ts";
import { isRead, type Outgoing } from "../transport/outgoing.ts";
import { streamedBytes } from "./uploads.ts";

const methods: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]);
const prefix = "/v4/";
const requestNames: ReadonlySet<string> = new Set([...callNames, "query", "body", "contentType"]);

/** A request to any v4 path (spec 4.7 rule 5). Throws E305 for a path not in normal form. */
export function encodeRequest(
  method: string,
  path: string,
  options: RequestOptions,
  defaults: CallDefaults,
): Outgoing {
  refuseUnknown(options, requestNames);
  const verb = method.toUpperCase();
  if (!methods.has(verb)) throw refused(`${JSON.stringify(method.slice(0, 20))} is not a method`);
  const url = new URL(checkedPath(path), "http://localhost");
  for (const [name, value] of options.query ?? []) {
    url.searchParams.append(name.toWellFormed(), value.toWellFormed());
  }
  const tenantId = options.tenantId ?? defaults.tenantId;
  if (tenantId !== undefined && !isWorkspaceId(tenantId)) {
    throw refused("the workspace ID can't be sent");
  }
  const headers = requestHeaders(options, defaults, tenantId, "*/*");
  if (options.idempotencyKey !== undefined) {
    headers.set("idempotency-key", idempotencyKey(options.idempotencyKey));
  }
  return {
    method: verb,
    url: `${baseUrlText(defaults.baseUrl)}${url.pathname}${url.search}`,
    route: url.pathname,
    asks: isRead(verb),
    many: false,
    signedIn: true,
    headers,
    body: requestBody(verb, options, headers),
  };
}

/** Returns a path with an optional query that URL parsing does not change; else throws E305. */
export function checkedPath(path: string): string {
  if (path.length > 8192) throw refused("it is longer than 8192 characters");
  if (!path.startsWith(prefix)) throw refused(`it does not start with ${prefix}`);
  const [pathname = "", ...rest] = path.split("?");
  // URL parsing or a gateway would rewrite any other character.
  if (!/^[A-Za-z0-9\-._~!$&'()*+,;=:@%/]+$/.test(pathname)) {
    throw refused("it has a character that must be percent-encoded");
  }
  if (/%(?![0-9A-Fa-f]{2})/.test(pathname)) throw refused("it has a broken percent escape");
  for (const segment of pathname.slice(1).split("/")) {
    let plain: string;
    try {
      plain = decodeURIComponent(segment);
    } catch {
      throw refused("a segment is not UTF-8");
    }
    if (/^\.{1,2}$/.test(plain.normalize("NFKC"))) throw refused("it has a dot segment");
    // Some gateways decode encoded delimiters.
    if (/[/\\\x00-\x1f\x7f-\x9f]/.test(plain) || /%(?:2e|2f|5c)/i.test(plain)) {
      throw refused("a segment has an encoded delimiter or control character");
    }
  }
  if (pathname.includes("//")) throw refused("it has an empty segment");
  if (/[\s\x00-\x20\x7f-\x9f#\\]/.test(rest.join("?"))) {
    throw refused("its query has a character that must be percent-encoded");
  }
  const url = new URL(path, "http://localhost");
  if (url.pathname !== pathname || url.host !== "localhost" || url.hash !== "") {
    throw refused("it is not in normal form");
  }
  return path;
}

function requestBody(
  method: string,
  { body, contentType }: RequestOptions,
  headers: Headers,
): Outgoing["body"] {
  if (body === undefined) return undefined;
  if (isRead(method)) throw refused(`${method} takes no body`);
  const type = contentType ?? "application/json";
  if (!isContentType(type)) throw refused("the content type can't be sent");
  headers.set("content-type", type);
  if (typeof body === "string" || body instanceof Uint8Array) return body;
  headers.set("content-length", String(body.size));
  return streamedBytes(body, type, undefined);
}

function refused(reason: string): CatalogError {
  return catalogError("E305", { details: `the request can't be sent: ${reason}` });
}
