import type { CatalogError } from "#contract/errors.ts";
import { streamOf } from "#lib/network/stream.ts";

/** A body that is sent while it is read, so it is never retried. */
export interface StreamedBody {
  readonly contentType: string;
  /** Bytes; undefined if the source has no known size. */
  readonly size: number | undefined;
  chunks(): AsyncIterable<Uint8Array>;
  /** Returns the same bytes as a Blob, for runtimes without {@link sendsStreams}. */
  whole(signal: AbortSignal): Promise<Blob>;
  /** Reports the bytes that such a runtime has sent. */
  passed(sentBytes: number, totalBytes: number): void;
  /** True if every byte was passed to the connection. */
  allSent: boolean;
  /** The error of reading the source. */
  readonly failure: CatalogError | undefined;
  /** Called for each chunk that the connection accepts. */
  onActivity: (() => void) | undefined;
}

export interface Outgoing {
  readonly method: string;
  readonly url: string;
  /** The route's path with its parameter names. */
  readonly route: string;
  readonly asks: boolean;
  /** True if it may be retried only if the platform stored nothing. */
  readonly many: boolean;
  readonly signedIn: boolean;
  readonly headers: Headers;
  readonly body?: string | Uint8Array | StreamedBody | undefined;
}

/** True if a body is streamed, so that it can't be sent twice. */
export function isStreamed(body: Outgoing["body"]): body is StreamedBody {
  return typeof body === "object" && !(body instanceof Uint8Array);
}

/**
 * True if the runtime sends a stream as a request's body. Firefox sends the text
 * `[object ReadableStream]`, and Chromium sends a stream over HTTP/2 only.
 */
export const sendsStreams: boolean = !(
  "XMLHttpRequest" in globalThis || "ServiceWorkerGlobalScope" in globalThis
);

export function requestBody(
  body: string | Uint8Array | StreamedBody,
): string | Blob | ReadableStream<Uint8Array> {
  if (typeof body === "string") return body;
  if (body instanceof Uint8Array) return new Blob([new Uint8Array(body)]);
  return streamOf(body.chunks());
}

export function isRead(method: string): boolean {
  return method === "GET" || method === "HEAD";
}
