import { AwsV4Signer } from "aws4fetch";
import { BodyTooLargeError, readBoundedText } from "#lib/bounded-body.ts";
import { networkFetch } from "#lib/network-fetch.ts";
import { jitteredPauseMs, parseRetryAfterMs, RetryBudget } from "#lib/retry.ts";
import { sleep } from "#lib/sleep.ts";
import { TimeLimit } from "#lib/time-limit.ts";
import { FileStoreError, StorageError } from "../../kit/storage-errors.ts";
import { faultOfAnswer, faultOfConnection, faultOfForm, S3Fault } from "./s3-fault.ts";
import { urlOf } from "./files-url.ts";
import type { FilesCredentials, S3Location } from "./files-url.ts";

export interface S3Limits {
  /** Milliseconds in which some byte has to move, or the answer to come. */
  readonly idleMs: number;
  /**
   * The same for a question, whose answer has no content: somebody waits for it, for 30 s. It is asked a
   * second time after silence, since an idle line may be dead, and no third.
   */
  readonly questionMs: number;
  /** The same, after the last byte of a file: a store may have much to do with it. */
  readonly storeMs: number;
  /** Times that a request is made before it has failed. */
  readonly attempts: number;
  /** Before the first repetition at most; each further one up to twice as long. */
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

/** Bytes of a request, which can be sent more than once. */
export interface S3Body {
  readonly size: number;
  /** Signed with the request, so that the store refuses what has changed on the way. */
  readonly sha256: string;
  open(): AsyncIterable<Uint8Array>;
}

export interface S3Request {
  /** Completes "Could not …" in errors, e.g. `store a file`. */
  readonly action: string;
  readonly method: "GET" | "HEAD" | "PUT" | "POST" | "DELETE";
  /** Of the object; the bucket itself without one. */
  readonly key?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: S3Body;
  /** Throws where a success says in its body that it is none. */
  readonly verify?: (text: string) => void;
  readonly signal?: AbortSignal | undefined;
}

export interface S3Answer {
  readonly headers: Headers;
  readonly text: string;
}

/** An answer that is a success and has not been read yet. Close it in the end. */
export interface OpenAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** Each wait for a piece has its limit; a broken line is a transient {@link S3Fault}. */
  chunks(): AsyncIterable<Uint8Array>;
  close(): Promise<void>;
}

const emptySha256 = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
/** A list of 1,000 keys has some 400 KiB. */
const answerBytes = 4 * 1024 * 1024;
const errorBytes = 64 * 1024;
const longestRetryAfterMs = 10_000;

/**
 * Signed requests to one bucket. Every wait has a limit, what may be repeated is repeated a few
 * times, and what goes wrong is a `StorageError` without keys and signatures. Redirections are not
 * followed: what is signed for one host is nobody else's.
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

  /** Makes the request until it succeeds, fails for good, or has failed often enough. */
  async request(request: S3Request): Promise<S3Answer> {
    const beganMs = performance.now();
    for (let attempt = 1; ; attempt += 1) {
      try {
        const answer = await this.#exchange(request);
        this.#budget.earn(attempt > 1);
        return answer;
      } catch (error) {
        const silenceMs = isQuestion(request) ? 2 * this.#limits.questionMs : Infinity;
        if (performance.now() - beganMs >= silenceMs) throw error;
        await this.pause(error, attempt, request.signal);
      }
    }
  }

  async #exchange(request: S3Request): Promise<S3Answer> {
    const answer = await this.open(request);
    try {
      const text = await textOf(request, answer);
      request.verify?.(text);
      return { headers: answer.headers, text };
    } finally {
      await answer.close();
    }
  }

  /** Waits before the next attempt, or throws the error again: it is final, or was the last one. */
  async pause(error: unknown, attempt: number, signal: AbortSignal | undefined): Promise<void> {
    const { attempts, firstPauseMs, longestPauseMs } = this.#limits;
    if (!(error instanceof S3Fault) || !error.isTransient || attempt >= attempts) throw error;
    if (!this.#budget.spend()) throw error;
    const pauseMs = jitteredPauseMs(attempt, firstPauseMs, longestPauseMs);
    const wantedMs = Math.min(error.retryAfterMs ?? 0, longestRetryAfterMs);
    await sleep(Math.max(pauseMs, wantedMs), signal);
  }

  /** One attempt; answers once the head of a success is there. */
  async open(request: S3Request): Promise<OpenAnswer> {
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

  #opened(request: S3Request, response: Response, limit: TimeLimit): OpenAnswer {
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
            // Whoever takes the piece may be slow: that is not the store's fault.
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
    // Not by URLSearchParams: its `+` for a space is not what stores decode.
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
      ...(this.#credentials.sessionToken === undefined
        ? {}
        : { sessionToken: this.#credentials.sessionToken }),
    });
    const signed = await signer.sign();
    const all = new Headers(signed.headers);
    // These are not signed: proxies change them on their way.
    all.set("accept-encoding", "identity");
    for (const [name, value] of Object.entries(headers)) all.set(name, value);
    if (body !== undefined) all.set("content-length", String(body.size));
    return { url: signed.url.toString(), headers: all };
  }

  /** Derived keys by day: yesterday's are of no use. */
  #keys(): Map<string, ArrayBuffer> {
    if (this.#signingKeys.size > 2) this.#signingKeys.clear();
    return this.#signingKeys;
  }

  /** The body piece by piece, as the connection takes it; each piece gives the clock a new start. */
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
                const message = `Could not ${request.action}: it became shorter meanwhile`;
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

/** About an object, or the names of some. */
function isQuestion({ method, key }: S3Request): boolean {
  return method === "HEAD" || (method === "GET" && key === undefined);
}

async function textOf(request: S3Request, answer: OpenAnswer): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  for await (const chunk of answer.chunks()) {
    size += chunk.byteLength;
    if (size > answerBytes) throw faultOfForm(request.action, "it is too long");
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

async function refusalOf(action: string, response: Response): Promise<StorageError> {
  const retryAfterMs = parseRetryAfterMs(response.headers.get("retry-after"), Date.now());
  const text = await readBoundedText(response, errorBytes, { truncate: true });
  return faultOfAnswer(action, response.status, text, retryAfterMs);
}

function faultOf(action: string, error: unknown, signal: AbortSignal | undefined): unknown {
  if (signal?.aborted === true) return signal.reason;
  if (error instanceof StorageError || error instanceof BodyTooLargeError) return error;
  return faultOfConnection(action, error);
}
