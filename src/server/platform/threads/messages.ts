import type { Limits } from "../../kit/limits.ts";
import type { SharedChanges } from "../../kit/changes.ts";
import type { LogEvent } from "../../kit/logger.ts";
import type { DurationCounts } from "../../domains/metrics/request-durations.ts";
import type { NewEntry } from "../../domains/audit/entry.ts";
import type { Verified } from "../../domains/tokens/service.ts";
import type { RecordWrite } from "../../domains/records/store/record-types.ts";

export interface ThreadStart {
  readonly svcReadingThread: true;
  readonly databasePath: string;
  /** Number of threads that read the database, including the main thread. */
  readonly threads: number;
  readonly host: string;
  readonly port: number;
  readonly baseUrl: string | undefined;
  readonly trustedProxies?: readonly string[] | undefined;
  readonly allowedHosts: readonly string[];
  readonly acceptsAddresses: boolean;
  readonly limits: Limits;
  readonly changes: SharedChanges;
  readonly rates: SharedArrayBuffer;
  /** The master secret of the installation. */
  readonly master: Uint8Array;
}

/** A body: whole, none, or in chunks that the reader pulls. */
export type Body<Whole> = Whole | null | "in chunks";

export interface ForwardedRequest {
  readonly kind: "request";
  readonly id: number;
  readonly method: string;
  readonly url: string;
  readonly fields: Fields;
  readonly body: Body<Uint8Array<ArrayBuffer>>;
  readonly address: string;
  /** Asks for the verified token, so that the thread can serve the next request itself. */
  readonly asksForToken: boolean;
}

export interface ForwardedAnswer {
  readonly kind: "answer";
  readonly id: number;
  readonly status: number;
  readonly fields: Fields;
  readonly body: Body<{ readonly text: string } | { readonly file: Blob }>;
  /** The request's verified token, and the count of revocations at that time. */
  readonly known?: { readonly token: Verified; readonly revocations: number };
}

/** A new record that a thread has checked with a revision of its type. */
export interface ForwardedCreation {
  readonly kind: "creation";
  readonly id: number;
  readonly workspaceId: string;
  readonly slug: string;
  readonly revision: number;
  readonly write: RecordWrite;
  readonly requestId: string | undefined;
}

/** True if the record is durable; otherwise nothing was written. */
export interface CreationAnswer {
  readonly kind: "created";
  readonly id: number;
  readonly isWritten: boolean;
}

/** How a body in chunks crosses: its reader pulls each chunk or cancels. */
export type ChunkMessage =
  | { readonly kind: "pull"; readonly id: number }
  | { readonly kind: "cancel"; readonly id: number }
  | { readonly kind: "chunk"; readonly id: number; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly kind: "end"; readonly id: number }
  | { readonly kind: "broken"; readonly id: number };

export type ToMain =
  | ForwardedRequest
  | ForwardedCreation
  | ChunkMessage
  /** The caller of a request has disconnected. */
  | { readonly kind: "gone"; readonly id: number }
  /** A type that this thread has loaded, so that the main thread continues its work on it. */
  | { readonly kind: "type"; readonly workspaceId: string; readonly slug: string }
  | { readonly kind: "log"; readonly level: "info" | "warn" | "error"; readonly event: LogEvent }
  /** The audit log's entry of a request that this thread has answered. */
  | { readonly kind: "audit"; readonly entry: NewEntry }
  /** The durations of requests that this thread has answered since its last message. */
  | { readonly kind: "durations"; readonly counts: readonly DurationCounts[] }
  | { readonly kind: "listening"; readonly port: number }
  | { readonly kind: "failed"; readonly reason: string }
  | { readonly kind: "stopped" };

export type ToThread =
  | ForwardedAnswer
  | CreationAnswer
  | ChunkMessage
  /** The idle timeout of the caller's connection: see `Peer`. */
  | { readonly kind: "silence" | "traffic"; readonly id: number }
  | { readonly kind: "drain" }
  | { readonly kind: "stop"; readonly timeoutMs: number };

/** Header fields as they cross threads: a record costs a third of a list of pairs. */
export type Fields = Readonly<Record<string, string>> & {
  /** The only field with several values that cannot be joined (RFC 6265, 3). */
  readonly "set-cookie"?: readonly string[];
};

export function fieldsOf(headers: Headers): Fields {
  return headers.toJSON();
}

export function headersOf({ "set-cookie": cookies = [], ...fields }: Fields): Headers {
  const headers = new Headers(fields);
  for (const cookie of cookies) headers.append("set-cookie", cookie);
  return headers;
}
