import { Refusal } from "#contract/problems.ts";
import { fileResponses } from "../http/response/body-sources.ts";
import type { BlobContent } from "./blob-store.ts";
import { includesTag, requireTag } from "../http/response/entity-tag.ts";

export interface StoredContent {
  /** The bytes, read on demand. */
  readonly bytes: BlobContent;
  readonly size: number;
  /** 64 hexadecimal digits; also the entity tag. */
  readonly sha256: string;
  readonly mediaType: string;
  /** The name that the client sent; {@link contentResponse} makes it safe. */
  readonly filename: string;
}

/** Refuses content that the store lost although a row has it; an operator must restore it. */
export function contentMissing(what: string): Refusal {
  return new Refusal("content-missing", { detail: `${what} is missing from the store` });
}

/**
 * Responds with stored bytes: 200, 206 for one range, 304 for a match, refusals 412 and 416 (RFC
 * 9110, 13 and 14). Browsers must save an upload and never show it as a page of this platform.
 */
export function contentResponse(content: StoredContent, headers: Headers): Response {
  const entityTag = `"${content.sha256}"`;
  const common = {
    etag: entityTag,
    "accept-ranges": "bytes",
    "cache-control": "private, no-cache",
  };
  requireTag(headers.get("if-match"), entityTag);
  if (includesTag(headers.get("if-none-match"), entityTag)) {
    return new Response(null, { status: 304, headers: common });
  }
  const described = {
    ...common,
    "content-type": content.mediaType,
    "content-disposition": attachment(content.filename),
    "content-security-policy": "default-src 'none'; sandbox",
    "repr-digest": `sha-256=:${Buffer.from(content.sha256, "hex").toString("base64")}:`,
    "x-content-type-options": "nosniff",
  };
  const range = requestedRange(headers, entityTag, content.size);
  if (range === undefined) {
    return bytesResponse(content.bytes, {
      status: 200,
      headers: { ...described, "content-length": String(content.size) },
    });
  }
  const { start, end } = range;
  return bytesResponse(content.bytes.slice(start, end), {
    status: 206,
    headers: {
      ...described,
      "content-range": `bytes ${start}-${end - 1}/${content.size}`,
      "content-length": String(end - start),
    },
  });
}

/** Registers a local file, which any thread can send. */
function bytesResponse(bytes: BlobContent, init: ResponseInit): Response {
  if (!(bytes instanceof Blob)) return new Response(bytes.stream(), init);
  const response = new Response(bytes, init);
  fileResponses.set(response, bytes);
  return response;
}

/**
 * Half-open; undefined for the whole content, also for several ranges or another unit (14.2).
 * Blanks are allowed because Bun applies such a range itself to a response with the whole file.
 */
function requestedRange(
  headers: Headers,
  entityTag: string,
  size: number,
): { start: number; end: number } | undefined {
  const [, first = "", last = ""] = rangePattern.exec(headers.get("range") ?? "") ?? [];
  if (first === "" && last === "") return undefined;
  const condition = headers.get("if-range");
  if (condition !== null && condition.trim() !== entityTag) return undefined;
  if (first === "") {
    const length = Math.min(Number(last), size);
    if (length === 0) throw unsatisfiable(size);
    return { start: size - length, end: size };
  }
  const start = Number(first);
  const end = last === "" ? size : Math.min(Number(last) + 1, size);
  if (last !== "" && Number(last) < start) return undefined;
  if (start >= size) throw unsatisfiable(size);
  return { start, end };
}

// Two runs of blanks always have digits between them; otherwise matching takes quadratic time.
const rangePattern = /^\s*bytes\s*=\s*(?:(\d+)\s*)?-\s*(?:(\d+)\s*)?$/i;

function unsatisfiable(size: number): Refusal {
  return new Refusal("range-not-satisfiable", {
    detail: `The content has ${size} bytes`,
    headers: { "content-range": `bytes */${size}` },
  });
}

/** `attachment` with the name in ASCII and in UTF-8 (RFC 6266, RFC 8187). */
export function attachment(filename: string): string {
  const name = offeredName(filename);
  const ascii = name.replace(/[^\x20-\x7e]|["\\%]/g, "_");
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}

/** A safe file name: no folders, no control or direction characters, never empty. */
function offeredName(filename: string): string {
  const last = filename.toWellFormed().split(/[/\\]/).at(-1) ?? "";
  const name = last.replace(/[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, "").trim();
  return /^\.{0,2}$/.test(name) ? "document" : name;
}
