import { Refusal } from "#contract/problems.ts";
import { findLoss } from "#lib/json/loss.ts";
import { jsonCounts } from "#lib/json/scan.ts";
import { atOnce, type Stepwise } from "#lib/time/stepwise.ts";
import { isStorable, notStorable } from "../../kit/storable-text.ts";
import { faultAt, invalid } from "../../kit/faults.ts";
import { beyondBounds } from "./json-bounds.ts";

/** A bound above the levels of any schema, for the recursion of every later step. */
const maximumDepth = 64;

/** A request's whole body; refuses 413 above `limitBytes` before it is all in memory. */
export async function readBytes(
  request: Request,
  limitBytes: number,
): Promise<Uint8Array<ArrayBuffer>> {
  refuseEncoded(request);
  const length = request.headers.get("content-length");
  if (length !== null) {
    if (Number(length) > limitBytes) throw tooLarge(limitBytes);
    const bytes = new Uint8Array(await request.arrayBuffer());
    if (bytes.byteLength > limitBytes) throw tooLarge(limitBytes);
    return bytes;
  }
  if (request.body === null) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = request.body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done || value === undefined) break;
      size += value.byteLength;
      if (size > limitBytes) throw tooLarge(limitBytes);
      chunks.push(value);
    }
  } finally {
    reader.releaseLock();
  }
  return Bun.concatArrayBuffers(chunks, limitBytes, true);
}

/**
 * Refuses 415 for a body that is not JSON in UTF-8, before it is read. Where the route names media
 * types, a body without one is 400, as OGC API Features asks for.
 */
export function requireJson(request: Request, mediaTypes?: readonly string[]): void {
  const field = request.headers.get("content-type");
  if (field === "application/json") return;
  // The missing body is the fault here, not its missing type.
  if (field === null && request.body === null) throw emptyBody();
  if (field === null && mediaTypes !== undefined) {
    const expected = mediaTypes.join(" or ");
    const detail = `Cannot read this body: it has no Content-Type, expected ${expected}`;
    throw new Refusal("malformed-body", { detail });
  }
  const [type = "", ...parameters] = (field ?? "").split(";").map((part) => part.trim());
  const isJson = /^application\/(?:[\w.+-]+\+)?json$/i.test(type);
  const charset = parameters.find((part) => /^charset=/i.test(part))?.slice("charset=".length);
  if (isJson && (charset === undefined || /^"?utf-?8"?$/i.test(charset))) return;
  throw new Refusal("unsupported-media-type", {
    detail: "Cannot read this body: expected Content-Type application/json in UTF-8",
    headers: { accept: "application/json" },
  });
}

/** Parses JSON that every store can hold. Refusals do not repeat the body's text. */
export function parseJson(bytes: Uint8Array): unknown {
  return atOnce(jsonParsing(bytes));
}

/** {@link parseJson} in six parts, each of which takes tens of milliseconds for a large body. */
export function* jsonParsing(bytes: Uint8Array): Stepwise<unknown> {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    throw new Refusal("malformed-body", { detail: "Cannot read this body: it is not UTF-8" });
  }
  if (text.trim() === "") throw emptyBody();
  yield;
  const counts = jsonCounts(text);
  if (counts.depth > maximumDepth) {
    throw new Refusal("malformed-body", {
      detail: `Cannot read this body: it nests deeper than ${maximumDepth} levels`,
    });
  }
  const excess = beyondBounds(text, counts);
  if (excess !== undefined) {
    throw new Refusal("malformed-body", { detail: `Cannot read this body: ${excess}` });
  }
  yield;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Refusal("malformed-body", { detail: "Cannot read this body: it is not JSON" });
  }
  yield;
  // A walk visits every name and text, so only suspicious bodies are walked.
  if (suspicious.test(text)) refuseUnstorable(value, []);
  const loss = yield* findLoss(text, value, counts);
  if (loss !== undefined) throw invalid([faultAt("body", loss.path, loss.detail)]);
  return value;
}

const utf8 = new TextDecoder("utf-8", { fatal: true });
const suspicious = /\\u(?:0000|d[89a-f])/i;

function refuseUnstorable(value: unknown, path: readonly (string | number)[]): void {
  if (typeof value === "string") {
    if (!isStorable(value)) throw invalid([faultAt("body", path, notStorable)]);
  } else if (Array.isArray(value)) {
    value.forEach((item, index) => refuseUnstorable(item, [...path, index]));
  } else if (typeof value === "object" && value !== null) {
    for (const [name, member] of Object.entries(value)) {
      if (!isStorable(name)) throw invalid([faultAt("body", path, notStorable)]);
      refuseUnstorable(member, [...path, name]);
    }
  }
}

/** Refuses 415 for a body with a content coding. */
export function refuseEncoded(request: Request): void {
  const encoding = request.headers.get("content-encoding");
  if (encoding === null || encoding.toLowerCase() === "identity") return;
  throw new Refusal("unsupported-media-type", {
    detail: "Cannot read this body: send it without a Content-Encoding",
    headers: { "accept-encoding": "identity" },
  });
}

function emptyBody(): Refusal {
  return new Refusal("malformed-body", { detail: "Cannot read this body: it is empty" });
}

function tooLarge(limitBytes: number): Refusal {
  return new Refusal("content-too-large", {
    detail: `Cannot read this body: the limit is ${limitBytes} bytes`,
  });
}
