import type { CatalogError } from "#contract/errors.ts";
import { streamOf } from "#lib/stream.ts";

/** A body that is sent once, as it is read; its attempts are never repeated. */
export interface StreamedBody {
  readonly contentType: string;
  /** Undefined where only the end of the source tells. */
  readonly size: number | undefined;
  chunks(): AsyncIterable<Uint8Array>;
  /** Set once every byte was handed to the connection. */
  readonly allSent: boolean;
  /** Why reading the source failed, where it did. */
  readonly failure: CatalogError | undefined;
  /** Called whenever the connection has taken more. */
  onActivity: (() => void) | undefined;
}

/** One request, ready but for its credentials. */
export interface Outgoing {
  readonly method: string;
  readonly url: string;
  /** The route's path, for notices. */
  readonly route: string;
  /** Whether it can't have changed anything, whatever its method. */
  readonly asks: boolean;
  /** Whether it goes out again only where it surely was not taken in. */
  readonly many: boolean;
  /** Whether a token must go along. */
  readonly signedIn: boolean;
  readonly headers: Headers;
  readonly body?: string | Uint8Array | StreamedBody | undefined;
}

/** Whether a body is sent piece by piece, and so can't be sent twice. */
export function isStreamed(body: Outgoing["body"]): body is StreamedBody {
  return typeof body === "object" && !(body instanceof Uint8Array);
}

/** A body as `fetch` takes it. */
export function requestBody(
  body: string | Uint8Array | StreamedBody,
): string | Blob | ReadableStream<Uint8Array> {
  if (typeof body === "string") return body;
  if (body instanceof Uint8Array) return new Blob([new Uint8Array(body)]);
  return streamOf(body.chunks());
}

/** Whether a method only reads. */
export function isRead(method: string): boolean {
  return method === "GET" || method === "HEAD";
}
