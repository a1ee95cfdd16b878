import { Refusal } from "#contract/problems.ts";
import { fileResponses } from "../http/response/body-sources.ts";
import type { BlobContent } from "./blob-store.ts";
import { includesTag, requireTag } from "../http/response/entity-tag.ts";

/** Stored bytes with what their answer says of them. */
export interface StoredContent {
  /** Lazy: only what is sent is read. */
  readonly bytes: BlobContent;
  readonly size: number;
  /** 64 hexadecimal digits; the entity tag is made of it. */
  readonly sha256: string;
  readonly mediaType: string;
  /** As its sender wrote it; made safe here. */
  readonly filename: string;
}

/**
 * What a row names is not in the store: lost, or taken out by somebody else. To ask again helps as little
 * as it does after any other failure of the platform; its operator has to put it back.
 */
export function contentMissing(what: string): Refusal {
  return new Refusal("content-missing", { detail: `${what} is missing from the store` });
}

/**
 * The answer with stored bytes, unchanged: 200, 206 for one range, 304 for a match, refusals 412
 * and 416 (RFC 9110, 13 and 14). Whatever was uploaded is only ever saved, never shown as a page of this
 * platform: attachment, no sniffing, and a sandbox for browsers that would do so all the same.
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
    return answerWith(content.bytes, {
      status: 200,
      headers: { ...described, "content-length": String(content.size) },
    });
  }
  const { start, end } = range;
  return answerWith(content.bytes.slice(start, end), {
    status: 206,
    headers: {
      ...described,
      "content-range": `bytes ${start}-${end - 1}/${content.size}`,
      "content-length": String(end - start),
    },
  });
}

/** A file goes out by the system's own copying; anything else as it arrives. */
function answerWith(bytes: BlobContent, init: ResponseInit): Response {
  if (!(bytes instanceof Blob)) return new Response(bytes.stream(), init);
  const response = new Response(bytes, init);
  fileResponses.set(response, bytes);
  return response;
}

/**
 * Half-open; undefined for the whole: several ranges or another unit may be ignored (14.2). Blanks
 * are let pass, since the server below would find the range behind them in an answer with the whole.
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

// Blanks stand beside each other only where digits are between them: else each run is tried in halves.
const rangePattern = /^\s*bytes\s*=\s*(?:(\d+)\s*)?-\s*(?:(\d+)\s*)?$/i;

function unsatisfiable(size: number): Refusal {
  return new Refusal("range-not-satisfiable", {
    detail: `The content has ${size} bytes`,
    headers: { "content-range": `bytes */${size}` },
  });
}

/** `attachment` with the name twice: for everybody in ASCII, and as it is (RFC 6266, RFC 8187). */
export function attachment(filename: string): string {
  const name = offeredName(filename);
  const ascii = name.replace(/[^\x20-\x7e]|["\\%]/g, "_");
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}

/** A name that can be saved: no folders, no control or direction characters, never empty. */
function offeredName(filename: string): string {
  const last = filename.toWellFormed().split(/[/\\]/).at(-1) ?? "";
  const name = last.replace(/[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, "").trim();
  return /^\.{0,2}$/.test(name) ? "document" : name;
}
