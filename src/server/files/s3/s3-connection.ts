import { AwsV4Signer } from "aws4fetch";
import { BodyTooLargeError, readBoundedText } from "#lib/network/bounded-body.ts";
import { given } from "#lib/given.ts";
import { networkFetch } from "#lib/network/network-fetch.ts";
import { jitteredPauseMs, parseRetryAfterMs, RetryBudget } from "#lib/time/retry.ts";
import { sleep } from "#lib/time/sleep.ts";
import { TimeLimit } from "#lib/time/time-limit.ts";
import { FileStoreError, StorageError } from "../../kit/storage-errors.ts";
import { faultOfConnection, faultOfForm, faultOfResponse, S3Fault } from "./s3-fault.ts";
import { urlOf, type FilesCredentials, type S3Location } from "./files-url.ts";

export interface S3Limits {
  /** Longest time without a byte, in milliseconds. */
  readonly idleMs: number;
  /** The limit of metadata requests, which fail after two timeouts because a caller waits. */
  readonly questionMs: number;
  /** The limit after the last byte of a file, which the store has to process. */
  readonly storeMs: number;
  /** The number of attempts of one request. */
  readonly attempts: number;
  /** Longest pause before the first retry; it doubles with each further one. */
  readonly firstPauseMs: number;
  readonly longestPauseMs: number;
}

export const defaultS3Limits: S3Limits = {
  idleMs: 15_000,
  questionMs: 10_000,
  storeMs: 60_000,
  attempts: 4,
  firstPauseMs: 100,
  longestPauseMs: 3_000,
};

/** Bytes of a request that can be sent more than once. */
export interface S3Body {
  readonly size: number;
  /** A digest that the signature covers, so that the store refuses changed bytes. */
  readonly sha256: string;
  open(): AsyncIterable<Uint8Array>;
}

export interface S3Request {
  /** The end of "Could not …" in errors, e.g. `store a file`. */
  readonly action: string;
  readonly method: "GET" | "HEAD" | "PUT" | "POST" | "DELETE";
  /** The object's key; without one, the request is for the bucket. */
  readonly key?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: S3Body;
  /** Throws if the body of a success reports an error. */
  readonly verify?: (text: string) => void;
  readonly signal?: AbortSignal | undefined;
}

export interface S3Response {
  readonly headers: Headers;
  readonly text: string;
}

/** A successful response whose body is not read yet. Always close it. */
export interface OpenResponse {
  readonly status: number;
  readonly headers: Headers;
  /** Each chunk has its timeout; a broken connection is a transient {@link S3Fault}. */
  chunks(): AsyncIterable<Uint8Array>;
  close(): Promise<void>;
}

const emptySha256 = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
/** A list of 1,000 keys has about 400 KiB. */
const responseBytes = 4 * 1024 * 1024;
const errorBytes = 64 * 1024;
const longestRetryAfterMs = 10_000;

/**
 * Sends signed requests to one bucket, with timeouts and retries. Failures are `StorageError`s
 * without keys and signatures. Redirections are not followed, because a signature is for one host.
 */
export class S3Connection {
  readonly #location: S3Location;
  readonly #credentials: FilesCredentials;
  readonly #limits: S3Limits;
  readonly #signingKeys = new Map<string, ArrayBuffer>();
  readonly #budget = new RetryBudget();

  constructor(location: S3Location, credentials: FilesCredentials, limits: S3Limits) {
    this.#location = location;
    this.#credentials = credentials;
    this.#limits = limits;
  }

  /** Sends the request until it succeeds, fails permanently or is out of attempts. */
  async request(request: S3Request): Promise<S3Response> {
    const beganMs = performance.now();
    for (let attempt = 1; ; attempt += 1) {
      try {
        const response = await this.#exchange(request);
        this.#budget.earn(attempt > 1);
        return response;
      } catch (error) {
        const silenceMs = isQuestion(request) ? 2 * this.#limits.questionMs : Infinity;
        if (performance.now() - beganMs >= silenceMs) throw error;
        await this.pause(error, attempt, request.signal);
      }
    }
  }

  async #exchange(request: S3Request): Promise<S3Response> {
    const response = await this.open(request);
    try {
      const text = await textOf(request, response);
      request.verify?.(text);
      return { headers: response.headers, text };
    } finally {
      await response.close();
    }
  }

  /** Waits before the next attempt; throws a permanent error or the last one again. */
  async pause(error: unknown, attempt: number, signal: AbortSignal | undefined): Promise<void> {
    const { attempts, firstPauseMs, longestPauseMs } = this.#limits;
    if (!(error instanceof S3Fault) || !error.isTransient || attempt >= attempts) throw error;
    if (!this.#budget.spend()) throw error;
    const pauseMs = jitteredPauseMs(attempt, firstPauseMs, longestPauseMs);
    const retryAfterMs = Math.min(error.retryAfterMs ?? 0, longestRetryAfterMs);
    await sleep(Math.max(pauseMs, retryAfterMs), signal);
  }

  /** One attempt; resolves with the headers of a success. */
  async open(request: S3Request): Promise<OpenResponse> {
    const { action, method, body, signal } = request;
    signal?.throwIfAborted();
    const { idleMs, questionMs } = this.#limits;
    const limit = new TimeLimit(isQuestion(request) ? questionMs : idleMs, signal);
    try {
      const { url, headers } = await this.#sign(request);
      const response = await networkFetch(new Request(url), {
        method,
        headers,
        redirect: "manual",
        signal: limit.signal,
        ...(body === undefined || body.size === 0
          ? {}
          : { body: this.#sending(body, limit, request) }),
      });
      limit.restart(idleMs);
      if (response.status < 200 || response.status > 299) throw await refusalOf(action, response);
      return this.#opened(request, response, limit);
    } catch (error) {
      limit.close();
      throw faultOf(action, error, signal);
    }
  }

  #opened(request: S3Request, response: Response, limit: TimeLimit): OpenResponse {
    const { action, signal } = request;
    const { idleMs } = this.#limits;
    const reader = response.body?.getReader();
    return {
      status: response.status,
      headers: response.headers,
      async *chunks() {
        try {
          for (;;) {
            limit.restart(idleMs);
            const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
            // A slow consumer of the chunk must not cause a timeout.
            limit.stopClock();
            if (done || value === undefined) return;
            yield value;
          }
        } catch (error) {
          throw faultOf(action, error, signal);
        }
      },
      async close() {
        await reader?.cancel().catch(() => {});
        limit.close();
      },
    };
  }

  async #sign(request: S3Request): Promise<{ url: string; headers: Headers }> {
    const { method, key = "", query = {}, headers = {}, body } = request;
    // URLSearchParams would write `+` for a space, which stores do not decode.
    const search = Object.entries(query)
      .map((pair) => pair.map(encodeURIComponent).join("="))
      .join("&");
    const signer = new AwsV4Signer({
      method,
      url: urlOf(this.#location, key) + (search === "" ? "" : `?${search}`),
      headers: { "x-amz-content-sha256": body?.sha256 ?? emptySha256 },
      service: "s3",
      region: this.#location.region,
      cache: this.#keys(),
      accessKeyId: this.#credentials.accessKeyId,
      secretAccessKey: this.#credentials.secretAccessKey,
      ...given({ sessionToken: this.#credentials.sessionToken }),
    });
    const signed = await signer.sign();
    const all = new Headers(signed.headers);
    // The signature leaves them out, because proxies may change them.
    all.set("accept-encoding", "identity");
    for (const [name, value] of Object.entries(headers)) all.set(name, value);
    if (body !== undefined) all.set("content-length", String(body.size));
    return { url: signed.url.toString(), headers: all };
  }

  /** Signing keys are derived for one day, so old ones can go. */
  #keys(): Map<string, ArrayBuffer> {
    if (this.#signingKeys.size > 2) this.#signingKeys.clear();
    return this.#signingKeys;
  }

  /** Streams the body; each chunk restarts the timeout. */
  #sending(body: S3Body, limit: TimeLimit, request: S3Request): ReadableStream<Uint8Array> {
    const { idleMs, storeMs } = this.#limits;
    const source = body.open()[Symbol.asyncIterator]();
    let sent = 0;
    return new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          try {
            const { done, value } = await source.next();
            if (done === true) {
              limit.restart(storeMs);
              if (sent < body.size) {
                const message = `Could not ${request.action}: it became shorter during the upload`;
                throw new FileStoreError(message, "fails");
              }
              return controller.close();
            }
            sent += value.byteLength;
            limit.restart(idleMs);
            controller.enqueue(value);
          } catch (error) {
            controller.error(error);
          }
        },
        async cancel() {
          await source.return?.();
        },
      },
      { highWaterMark: 0 },
    );
  }
}

/** True if a request asks for metadata: one object's, or a list. */
function isQuestion({ method, key }: S3Request): boolean {
  return method === "HEAD" || (method === "GET" && key === undefined);
}

async function textOf(request: S3Request, response: OpenResponse): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  for await (const chunk of response.chunks()) {
    size += chunk.byteLength;
    if (size > responseBytes) throw faultOfForm(request.action, "it is too long");
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

async function refusalOf(action: string, response: Response): Promise<StorageError> {
  const retryAfterMs = parseRetryAfterMs(response.headers.get("retry-after"), Date.now());
  const text = await readBoundedText(response, errorBytes, { truncate: true });
  return faultOfResponse(action, response.status, text, retryAfterMs);
}

function faultOf(action: string, error: unknown, signal: AbortSignal | undefined): unknown {
  if (signal?.aborted === true) return signal.reason;
  if (error instanceof StorageError || error instanceof BodyTooLargeError) return error;
  return faultOfConnection(action, error);
}
