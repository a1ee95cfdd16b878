import type { FetchFunction } from "#lib/fetch-function.ts";

/**
 * What a caller may say when a client is made. Nothing here loads a library, so that a command
 * that only names these types pays for none.
 */

/**
 * Gives the bearer token of a call. `rejected` is the token that the platform has just called
 * expired: the source must then renew it, or throw E102.
 */
export type TokenSource = (rejected?: string) => Promise<string>;

/**
 * When a failed attempt is made again: GET, HEAD and POST with an `Idempotency-Key` only; a batch only
 * where nothing of it can have been taken in.
 */
export interface RetryPolicy {
  /** Attempts in all, the first one included (default 3). */
  readonly attempts: number;
  /** Upper bound of the first pause; doubles with each attempt, full jitter (default 100). */
  readonly firstPauseMs: number;
  /** Upper bound of any pause that the platform did not ask for (default 5,000). */
  readonly longestPauseMs: number;
  /** Whether POST with an `Idempotency-Key` is made again as well (default true). */
  readonly keyedPosts: boolean;
}

/** Says that a name or route will go away (RFC 9745, RFC 8594). */
export interface DeprecationNotice {
  readonly method: string;
  readonly path: string;
  /** When it was deprecated, RFC 3339; absent where the platform gave no date. */
  readonly since?: string;
  /** When it will stop to answer, RFC 3339. */
  readonly sunset?: string;
  /** Where to read on. */
  readonly link?: string;
  /** One line for people, free of control characters. */
  readonly message: string;
}

/** One attempt, for debugging: no header field, no query value, no body, no token. */
export interface RequestTrace {
  readonly method: string;
  /** Origin and path; query values are left out. */
  readonly url: string;
  /** From 1. */
  readonly attempt: number;
  readonly status?: number;
  /** Why no answer came, in words. */
  readonly failure?: string;
  readonly requestId?: string;
  readonly durationMs: number;
}

/** How a client reaches its platform; only `baseUrl` is needed. */
export interface ClientOptions {
  /** `{base_url}` of the platform, http or https; a path prefix is kept, credentials are refused. */
  readonly baseUrl: string;
  /** Bearer token, or how to get one. Absent: only public routes can be called, others are E101. */
  readonly token?: string | TokenSource | undefined;
  /** Workspace (UUID) of calls that do not name one. */
  readonly tenantId?: string | undefined;
  /** Sends the requests; the runtime's own `fetch` unless given. */
  readonly fetch?: FetchFunction | undefined;
  /** Limit of one call with its retries (default 30,000). */
  readonly timeoutMs?: number | undefined;
  /** Parts of the policy that are to differ; `false`: one attempt only. */
  readonly retry?: Partial<RetryPolicy> | false | undefined;
  /** `User-Agent` of each request (default `svc-client`). */
  readonly userAgent?: string | undefined;
  /** The variable by which requests go through a proxy, for the words of a failure. */
  readonly proxyVariable?: string | undefined;
  /** Told once of each name or route in use that will go away. */
  readonly onDeprecation?: ((notice: DeprecationNotice) => void) | undefined;
  /** Told of each attempt when it has ended. */
  readonly onRequest?: ((trace: RequestTrace) => void) | undefined;
  /**
   * Told when an attempt begins; what it returns is called when that attempt has an answer's head,
   * has failed or was given up. Uploads are not told of: they are long by nature.
   */
  readonly onSend?: (() => () => void) | undefined;
}

/** What every call takes beside its own parts. */
export interface CallOptions {
  /** Workspace of this call, instead of the client's. */
  readonly tenantId?: string | undefined;
  /** Gives the call up, also between two attempts; it rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Limit of this call with its retries; for uploads and streams: until the answer's head. */
  readonly timeoutMs?: number | undefined;
  /** Further header fields, e.g. `If-Match`; credentials and workspace can't be set here. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Instead of a fresh UUID, on routes that honour it. */
  readonly idempotencyKey?: string | undefined;
}

/** Bytes that can be read once or again: `Bun.file(path)`, a `Blob`, or one's own. */
export interface ByteSource {
  /** Bytes in all. */
  readonly size: number;
  stream(): ReadableStream<Uint8Array>;
}

/** Bytes that come once, and of which nobody knows how many: a pipe, a stream. */
export interface UnsizedSource {
  stream(): ReadableStream<Uint8Array>;
}

/** A file for a multipart form; it is not opened before the request is known to be good. */
export interface UploadFile {
  readonly filename: string;
  /** Default `application/octet-stream`. */
  readonly contentType?: string | undefined;
  readonly content: ByteSource;
}

/** A `File` of the web, or anything with the same name, media type (`""` where unknown) and bytes. */
export interface NamedFile extends ByteSource {
  readonly name: string;
  readonly type: string;
}

/** Bytes sent so far, and in all; of a source without a size, as many as were sent. */
export type ProgressListener = (sentBytes: number, totalBytes: number) => void;
