import type { JsonObject } from "#contract/values.ts";
import type { FetchFunction } from "#lib/network/fetch-function.ts";

/**
 * Returns the bearer token of a call. `rejected` is a token that the platform reported as expired:
 * the function must then return a new one, or throw E102.
 */
export type TokenSource = (rejected?: string) => Promise<string>;

/**
 * Retries of failed attempts: GET, HEAD, and a POST with an `Idempotency-Key` if nothing was sent
 * or if a response of this platform has shown that it honours the key: by the field
 * `Accept-Idempotency-Key: ?1`, or by a replay. A batch only if the platform stored nothing of it.
 */
export interface RetryPolicy {
  /** Attempts, including the first (default 3). */
  readonly attempts: number;
  /** Upper bound of the first pause; doubles with each attempt, full jitter (default 100). */
  readonly firstPauseMs: number;
  /** Upper bound of any pause without `Retry-After` (default 5,000). */
  readonly longestPauseMs: number;
  /** True if such a POST is retried at all (default true). */
  readonly keyedPosts: boolean;
}

/** Announces the end of a route or name (RFC 9745, RFC 8594). */
export interface DeprecationNotice {
  readonly method: string;
  readonly path: string;
  /** Date of the deprecation, RFC 3339. */
  readonly since?: string | undefined;
  /** Date of the removal, RFC 3339. */
  readonly sunset?: string | undefined;
  /** URL of a page with more information. */
  readonly link?: string | undefined;
  /** One line for people, without control characters. */
  readonly message: string;
}

/** One attempt, for debugging; without headers, query values, body and token. */
export interface RequestTrace {
  readonly method: string;
  /** Origin and path of the request. */
  readonly url: string;
  /** The number of the attempt, from 1. */
  readonly attempt: number;
  readonly status?: number;
  /** The reason why no response came. */
  readonly failure?: string;
  readonly requestId?: string;
  readonly durationMs: number;
}

/** Options of a client; only `baseUrl` is required. */
export interface ClientOptions {
  /** `{base_url}` of the platform, http or https, without credentials; a path prefix is kept. */
  readonly baseUrl: string;
  /** Bearer token, or a function that returns one. Without it only public routes work (E101). */
  readonly token?: string | TokenSource | undefined;
  /** Default workspace (UUID) of calls. */
  readonly tenantId?: string | undefined;
  /**
   * Sends the token over plain http also to other machines (default false: E104), where the network
   * can read it. It does not apply to a given `fetch`.
   */
  readonly insecureHttp?: boolean | undefined;
  /** Sends the requests (default: the runtime's `fetch`). */
  readonly fetch?: FetchFunction | undefined;
  /** Limit of one call, retries included (default 30,000). */
  readonly timeoutMs?: number | undefined;
  /** Changes of the default policy; `false`: one attempt only. */
  readonly retry?: Partial<RetryPolicy> | false | undefined;
  /**
   * Why calls that change something are refused: E204 before a request. A POST that only reads is
   * no change.
   */
  readonly readOnly?: string | undefined;
  /**
   * Number of answers to GET calls that are kept (default 0). The next call for the same sends
   * `If-None-Match`, and an unchanged answer is the same object: callers must not change it.
   */
  readonly keptAnswers?: number | undefined;
  /** `User-Agent` of each request (default `svc-client`). */
  readonly userAgent?: string | undefined;
  /** The environment variable that selects a proxy, for error messages. */
  readonly proxyVariable?: string | undefined;
  /** Called once for each deprecated route that is called. */
  readonly onDeprecation?: ((notice: DeprecationNotice) => void) | undefined;
  /** Called at the end of each attempt. */
  readonly onRequest?: ((trace: RequestTrace) => void) | undefined;
  /**
   * Called at the start of each attempt, except uploads; the returned function is called when the
   * attempt has the head of its response, fails or is aborted.
   */
  readonly onSend?: (() => () => void) | undefined;
}

/** Options that every call takes. */
export interface CallOptions {
  /** Workspace of this call (default: the client's). */
  readonly tenantId?: string | undefined;
  /** Aborts the call, also between attempts; it rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Limit of this call with its retries; for uploads and streams: until the response's head. */
  readonly timeoutMs?: number | undefined;
  /** Additional headers, e.g. `If-Match`; credentials and workspace are refused. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Default: a new UUID, on routes that honour it. */
  readonly idempotencyKey?: string | undefined;
}

/** Bytes of known size: `Bun.file(path)`, a `Blob`, or a custom object. */
export interface ByteSource {
  /** Length of the source in bytes. */
  readonly size: number;
  stream(): ReadableStream<Uint8Array>;
}

/** Bytes of unknown size that can be read once: a pipe, a stream. */
export interface UnsizedSource {
  stream(): ReadableStream<Uint8Array>;
}

/** A file for a multipart form; it is opened after all checks of the request. */
export interface UploadFile {
  readonly filename: string;
  /** Media type of the file; default `application/octet-stream`. */
  readonly contentType?: string | undefined;
  readonly content: ByteSource;
}

/** A web `File`, or an object with name, media type (`""` if unknown) and bytes. */
export interface NamedFile extends ByteSource {
  readonly name: string;
  readonly type: string;
}

/** Bytes sent so far, and in total; without a known size both are equal. */
export type ProgressListener = (sentBytes: number, totalBytes: number) => void;

/** The list conventions of the v4 interface. */
export interface ListOptions extends CallOptions {
  /** Page number from 1 (default 1); instead of `cursor`. */
  readonly page?: number | undefined;
  /** Items per page, 1 to 500 (default 20). */
  readonly limit?: number | undefined;
  /** Field names separated by commas, `-` for descending (default `-created_at`). */
  readonly sort?: string | undefined;
  /** Filter with the semantics of MongoDB's query, as an object or as JSON text. */
  readonly where?: string | JsonObject | undefined;
  /** `nextCursor` of the previous page, for the same `sort` and `where`. */
  readonly cursor?: string | undefined;
  /** True if the response has `total` (default false). */
  readonly count?: boolean | undefined;
}

/** Options of a list with a fixed order. */
export type FixedListOptions = Omit<ListOptions, "sort" | "where">;

/** Options of an iterator over a list; `where` and `sort` as in {@link ListOptions}. */
export interface PageOptions extends CallOptions {
  readonly where?: ListOptions["where"];
  readonly sort?: ListOptions["sort"];
  /** The start: `nextCursor` of a page. */
  readonly cursor?: string | undefined;
  /** Items per request, 1 to 500 (default 100); a function is called before each request. */
  readonly pageSize?: number | (() => number) | undefined;
  /** True to request the next page while the caller uses the current one (default false). */
  readonly readAhead?: boolean | undefined;
}

/** Options of a write that is guarded by the record's version. */
export interface VersionOptions extends CallOptions {
  /** E205 with `problem.currentVersion` if it is not the current version. */
  readonly version?: number | undefined;
}
