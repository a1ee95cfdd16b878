import { catalogError } from "#contract/errors.ts";
import { jitteredPauseMs } from "#lib/retry.ts";
import { sleep } from "#lib/sleep.ts";
import { startDigest } from "./digest.ts";
import { nextChunk } from "./next-chunk.ts";
import type { StoredContent } from "./surface/content.ts";

/** What a reader knows of the bytes beforehand. */
interface Expectation {
  readonly size?: number;
  readonly sha256?: string;
}

/** Asks for the bytes from a place on, as long as they are those of the same entity tag. */
export type ContentResumer = (from: number, entityTag: string) => Promise<Response>;

/** A line on which nothing comes for this long is broken. */
const silenceMs = 60_000;
/** Lines that break one after the other before they are getting anywhere. */
const resumeAttempts = 3;
const worthwhileBytes = 1024 * 1024;
const firstPauseMs = 200;
const longestPauseMs = 5_000;

/**
 * A success that is the whole content, or the part of it that the caller asked for. Throws E203 for any
 * other: saved, it would look like the file.
 */
export async function wholeResponse(
  response: Response,
  headers: Readonly<Record<string, string>> | undefined,
): Promise<Response> {
  const { status } = response;
  if (status === 200 || (status === 206 && new Headers(headers).has("range"))) return response;
  await response.body?.cancel().catch(() => undefined);
  const came = status === 206 ? "a part of it" : "no content";
  throw damaged(`${came} came (HTTP ${status})`);
}

/**
 * A response's bytes with the checks that tell a whole file from a part of one. A line that breaks is
 * taken up where it broke, where `resume` is given and the bytes have a strong entity tag.
 */
export function readContent(
  response: Response,
  expected: Expectation | undefined,
  signal: AbortSignal | undefined,
  resume?: ContentResumer,
): StoredContent {
  const declared = response.headers.get("content-length");
  // A compressed answer's length says nothing about the content's.
  const encoded = response.headers.get("content-encoding") !== null;
  const size = expected?.size ?? (declared === null || encoded ? undefined : Number(declared));
  const sha256 = expected?.sha256?.toLowerCase() ?? headerDigest(response.headers);
  return {
    filename: filenameOf(response.headers.get("content-disposition")),
    contentType: response.headers.get("content-type") ?? "application/octet-stream",
    size,
    sha256,
    response,
    chunks: () =>
      checkedChunks(wholeChunks(response, size, signal, encoded ? undefined : resume), {
        size,
        sha256,
      }),
  };
}

async function* checkedChunks(
  chunks: AsyncIterable<Uint8Array>,
  { size, sha256 }: { readonly size: number | undefined; readonly sha256: string | undefined },
): AsyncGenerator<Uint8Array, void, undefined> {
  const digest = await startDigest();
  let received = 0;
  for await (const chunk of chunks) {
    received += chunk.byteLength;
    if (size !== undefined && received > size) break;
    digest.update(chunk);
    yield chunk;
  }
  if (size !== undefined && received !== size) {
    throw damaged(`${received} of ${size} bytes came`);
  }
  if (sha256 !== undefined && (digest.hex() ?? sha256) !== sha256) {
    throw damaged("the bytes do not match their digest");
  }
}

/** The pieces of one answer after the other, until as many bytes have come as were announced. */
async function* wholeChunks(
  first: Response,
  size: number | undefined,
  signal: AbortSignal | undefined,
  resume: ContentResumer | undefined,
): AsyncGenerator<Uint8Array, void, undefined> {
  let response = first;
  let received = 0;
  for (let failures = 0; ;) {
    const from = received;
    let broken: unknown;
    try {
      for await (const chunk of chunksOf(response, signal)) {
        received += chunk.byteLength;
        yield chunk;
      }
      if (size === undefined || received >= size) return;
      broken = damaged(`${received} of ${size} bytes came`);
    } catch (error) {
      signal?.throwIfAborted();
      broken = error;
    }
    failures = received - from < worthwhileBytes ? failures + 1 : 1;
    if (resume === undefined || failures > resumeAttempts) throw broken;
    await sleep(jitteredPauseMs(failures, firstPauseMs, longestPauseMs), signal);
    const next = await resumed(resume, first, received);
    if (next === undefined) throw broken;
    response = next;
  }
}

/** The rest of the same bytes; undefined when they can't be had. */
async function resumed(
  resume: ContentResumer,
  { headers }: Response,
  from: number,
): Promise<Response | undefined> {
  const entityTag = headers.get("etag") ?? "";
  if (!/^"[^"]*"$/.test(entityTag)) return undefined;
  const response = await resume(from, entityTag);
  const range = response.headers.get("content-range") ?? "";
  if (response.status === 206 && range.startsWith(`bytes ${from}-`)) return response;
  await response.body?.cancel().catch(() => undefined);
  return undefined;
}

async function* chunksOf(
  response: Response,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array, void, undefined> {
  if (response.body === null) return;
  const reader = response.body.getReader();
  const wait = { silenceMs, signal, failed: damaged };
  try {
    for (;;) {
      const chunk = await nextChunk(reader, wait);
      if (chunk === undefined) return;
      yield chunk;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** What takes up a download: the header fields that ask for the rest of the same bytes. */
export function restOf(
  headers: Readonly<Record<string, string>> | undefined,
  from: number,
  entityTag: string,
): Record<string, string> {
  return { ...headers, range: `bytes=${from}-`, "if-range": entityTag };
}

function damaged(reason: string) {
  return catalogError("E203", { details: `the content did not arrive whole: ${reason}` });
}

/** SHA-256 from `Repr-Digest` or `Content-Digest` (RFC 9530), as lower-case hexadecimal. */
function headerDigest(headers: Headers): string | undefined {
  for (const name of ["repr-digest", "content-digest"]) {
    const encoded = /\bsha-256=:([A-Za-z0-9+/]{43}=):/.exec(headers.get(name) ?? "")?.[1];
    if (encoded !== undefined) return hexOf(encoded);
  }
  return undefined;
}

function hexOf(base64: string): string {
  const hex = (unit: string): string => unit.charCodeAt(0).toString(16).padStart(2, "0");
  return Array.from(atob(base64), hex).join("");
}

/** The file name of `Content-Disposition` (RFC 6266, RFC 8187); still foreign text. */
function filenameOf(field: string | null): string | undefined {
  if (field === null) return undefined;
  const extended = /\bfilename\*\s*=\s*utf-8'[^']*'([^;\s]+)/i.exec(field)?.[1];
  if (extended !== undefined) {
    try {
      return decodeURIComponent(extended);
    } catch {
      // Falls back to the plain form.
    }
  }
  const plain = /\bfilename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(field);
  const name = plain?.[1]?.replace(/\\(.)/g, "$1") ?? plain?.[2];
  return name === undefined || name === "" ? undefined : name;
}
