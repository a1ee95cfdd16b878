import type { Fields } from "./fields.ts";
import type { Limits } from "../../kit/limits.ts";
import type { SharedChanges } from "../../kit/changes.ts";
import type { LogEvent } from "../../kit/logger.ts";
import type { Verified } from "../../domains/tokens/service.ts";
import type { RecordWrite } from "../../domains/records/store/record-types.ts";

/** What a thread is started with. */
export interface ThreadStart {
  readonly svcReadingThread: true;
  readonly databasePath: string;
  /** How many threads read the database, this one and the main one among them. */
  readonly threads: number;
  readonly host: string;
  readonly port: number;
  /** The public address, where one is configured. */
  readonly baseUrl: string | undefined;
  readonly allowedHosts: readonly string[];
  readonly acceptsAddresses: boolean;
  readonly limits: Limits;
  readonly changes: SharedChanges;
  readonly rates: SharedArrayBuffer;
}

/** A body: whole, none, or in pieces that follow, each when it is asked for. */
export type Body<Whole> = Whole | null | "in pieces";

/** A request that the main thread is to answer. */
export interface ForwardedRequest {
  readonly kind: "request";
  readonly id: number;
  readonly method: string;
  readonly url: string;
  readonly fields: Fields;
  readonly body: Body<Uint8Array<ArrayBuffer>>;
  readonly address: string;
  /** The thread wants to be told of its token, and asks for the next request itself then. */
  readonly asksForToken: boolean;
}

export interface ForwardedAnswer {
  readonly kind: "answer";
  readonly id: number;
  readonly status: number;
  readonly fields: Fields;
  readonly body: Body<{ readonly text: string } | { readonly file: Blob }>;
  /** What is known of the request's token, and the count of revocations when it was. */
  readonly known?: { readonly token: Verified; readonly revocations: number };
}

/** A new record that a thread has checked under a revision of its type. */
export interface ForwardedCreation {
  readonly kind: "creation";
  readonly id: number;
  readonly workspaceId: string;
  readonly slug: string;
  readonly revision: number;
  readonly write: RecordWrite;
}

/** Whether the record is durable; nothing of it was written otherwise. */
export interface CreationAnswer {
  readonly kind: "created";
  readonly id: number;
  readonly isWritten: boolean;
}

/** How a body in pieces crosses: its reader asks for each piece, or gives up. */
export type PieceMessage =
  | { readonly kind: "pull"; readonly id: number }
  | { readonly kind: "cancel"; readonly id: number }
  | { readonly kind: "piece"; readonly id: number; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly kind: "end"; readonly id: number }
  | { readonly kind: "broken"; readonly id: number };

export type ToMain =
  | ForwardedRequest
  | ForwardedCreation
  | PieceMessage
  /** The caller went away. */
  | { readonly kind: "gone"; readonly id: number }
  /** A type that this thread has loaded: what is to be done on it is the main thread's work. */
  | { readonly kind: "type"; readonly workspaceId: string; readonly slug: string }
  | { readonly kind: "log"; readonly level: "info" | "warn" | "error"; readonly event: LogEvent }
  | { readonly kind: "listening"; readonly port: number }
  | { readonly kind: "failed"; readonly reason: string }
  | { readonly kind: "stopped" };

export type ToThread =
  | ForwardedAnswer
  | CreationAnswer
  | PieceMessage
  /** How long the caller's connection may be silent: see `Peer`. */
  | { readonly kind: "silence" | "traffic"; readonly id: number }
  | { readonly kind: "drain" }
  | { readonly kind: "stop"; readonly timeoutMs: number };
