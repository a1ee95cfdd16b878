import { catalogError } from "#contract/errors.ts";
import { jitteredPauseMs } from "#lib/time/retry.ts";
import { sleep } from "#lib/time/sleep.ts";
import { startDigest } from "./digest.ts";
import { BodyBudget, type BodyLimits } from "../answer/body-budget.ts";
import { nextChunk } from "../answer/next-chunk.ts";
import type { CallOptions } from "../options.ts";

/** Stored bytes that are checked while they are read. */
export interface StoredContent {
  /** The name that the platform sent: untrusted text, never a path. */
  readonly filename: string | undefined;
  readonly contentType: string;
  /** Bytes, if the platform sends the size. */
  readonly size: number | undefined;
  /** The digest in hexadecimal, if the platform sends one. */
  readonly sha256: string | undefined;
  /** True if a body that ends early can be detected: by its length, digest or framing. */
  readonly showsItsEnd: boolean;
  /** The response, whose body `chunks` reads. */
  readonly response: Response;
  /** The bytes, once; throws E203 at the end if length or digest do not match. */
  chunks(): AsyncIterable<Uint8Array>;
}

/** Facts about the bytes that the caller already has. */
interface Expectation {
  readonly size?: number;
  readonly sha256?: string;
}

/** Requests the bytes from an offset on, if the content still has this entity tag. */
type ContentResumer = (from: number, entityTag: string) => Promise<Response>;

interface ContentCall<Input> {
  (input: Input): Promise<Response>;
  raw(input: Input): Promise<Response>;
}

const idleTimeoutMs = 60_000;
/** Consecutive failures with less than 1 MiB between them. */
const resumeAttempts = 3;
const worthwhileBytes = 1024 * 1024;
/** A body must come with 1 KiB/s on average, after a first minute. */
const contentLimits: BodyLimits = {
  longestWaitMs: 60_000,
  waitMsPerKiB: 1000,
  // The platform's largest file; a body that announces its size ends there.
  maximumBytes: 64 * 1024 ** 3,
};
const firstPauseMs = 200;
const longestPauseMs = 5_000;

/** Calls a bytes route. Throws E203 unless the response is the whole content or requested range. */
export async function storedContent<Input extends CallOptions>(
  call: ContentCall<Input>,
  input: Input,
  expected?: Expectation,
): Promise<StoredContent> {
  const response = await call(input);
  const { status } = response;
  if (status !== 200 && !(status === 206 && new Headers(input.headers).has("range"))) {
    await response.body?.cancel().catch(() => undefined);
    throw damaged(`${status === 206 ? "a part of it" : "no content"} came (HTTP ${status})`);
  }
  return readContent(response, expected, input.signal, async (from, entityTag) => {
    const headers = { ...input.headers, range: `bytes=${from}-`, "if-range": entityTag };
    return await call.raw({ ...input, headers });
  });
}

/** A response's bytes, checked by length and digest; `resume` continues a broken connection. */
export function readContent(
  response: Response,
  expected: Expectation | undefined,
  signal: AbortSignal | undefined,
  resume?: ContentResumer,
  limits: BodyLimits = contentLimits,
): StoredContent {
  const declared = response.headers.get("content-length");
  // The length of a compressed body is not the length of the content.
  const encoded = response.headers.get("content-encoding") !== null;
  const size = expected?.size ?? (declared === null || encoded ? undefined : Number(declared));
  const sha256 = expected?.sha256?.toLowerCase() ?? headerDigest(response.headers);
  return {
    filename: filenameOf(response.headers.get("content-disposition")),
    contentType: response.headers.get("content-type") ?? "application/octet-stream",
    size,
    sha256,
    showsItsEnd:
      size !== undefined || sha256 !== undefined || declared !== null || isFramed(response),
    response,
    chunks: () => {
      const source = { response, size, signal, budget: new BodyBudget(limits) };
      return checkedChunks(wholeChunks(source, encoded ? undefined : resume), { size, sha256 });
    },
  };
}

async function* checkedChunks(
  chunks: AsyncIterable<Uint8Array>,
  { size, sha256 }: { readonly size: number | undefined; readonly sha256: string | undefined },
): AsyncGenerator<Uint8Array, void, undefined> {
  const digest = startDigest();
  let received = 0;
  for await (const chunk of chunks) {
    received += chunk.byteLength;
    if (size !== undefined && received > size) break;
    digest?.update(chunk);
    yield chunk;
  }
  if (size !== undefined && received !== size) {
    throw damaged(`${received} of ${size} bytes came`);
  }
  if (sha256 !== undefined && (digest?.hex() ?? sha256) !== sha256) {
    throw damaged("the bytes do not match their digest");
  }
}

interface ContentSource {
  readonly response: Response;
  readonly size: number | undefined;
  readonly signal: AbortSignal | undefined;
  readonly budget: BodyBudget;
}

/** True if the connection's end is not the only sign of the body's end (RFC 9112, 6.3). */
function isFramed({ headers }: Response): boolean {
  return /\bchunked\b/i.test(headers.get("transfer-encoding") ?? "");
}

/** The chunks of the first response and of those that resume it, up to the announced size. */
async function* wholeChunks(
  { response: first, size, signal, budget }: ContentSource,
  resume: ContentResumer | undefined,
): AsyncGenerator<Uint8Array, void, undefined> {
  let response = first;
  let received = 0;
  for (let failures = 0; ;) {
    const from = received;
    let broken: unknown;
    try {
      for await (const chunk of chunksOf(response, signal, budget)) {
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

/** The rest of the same bytes; undefined if the platform does not return exactly that. */
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
  { body }: Response,
  signal: AbortSignal | undefined,
  budget: BodyBudget,
): AsyncGenerator<Uint8Array, void, undefined> {
  if (body === null) return;
  const reader = body.getReader();
  try {
    for (;;) {
      const chunk = await nextChunk(reader, { idleTimeoutMs, budget, signal, failed: damaged });
      if (chunk === undefined) return;
      yield chunk;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function damaged(reason: string) {
  return catalogError("E203", { details: `the content did not arrive whole: ${reason}` });
}

/** SHA-256 of `Repr-Digest` or `Content-Digest` (RFC 9530) in lower-case hexadecimal. */
function headerDigest(headers: Headers): string | undefined {
  for (const name of ["repr-digest", "content-digest"]) {
    const encoded = /\bsha-256=:([A-Za-z0-9+/]{43}=):/.exec(headers.get(name) ?? "")?.[1];
    if (encoded === undefined) continue;
    const hex = (unit: string): string => unit.charCodeAt(0).toString(16).padStart(2, "0");
    return Array.from(atob(encoded), hex).join("");
  }
  return undefined;
}

/** The filename of `Content-Disposition` (RFC 6266, RFC 8187): untrusted text. */
function filenameOf(field: string | null): string | undefined {
  if (field === null) return undefined;
  const extended = /\bfilename\*\s*=\s*utf-8'[^']*'([^;\s]+)/i.exec(field)?.[1];
  if (extended !== undefined) {
    try {
      return decodeURIComponent(extended);
    } catch {
      // The plain form below may be valid.
    }
  }
  const plain = /\bfilename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(field);
  const name = plain?.[1]?.replace(/\\(.)/g, "$1") ?? plain?.[2];
  return name === undefined || name === "" ? undefined : name;
}
