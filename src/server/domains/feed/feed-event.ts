import type { ChangeDetails } from "../../work/change-event.ts";

/** The details that a reader gets as they were stored. */
type KeptDetails = Pick<
  ChangeDetails,
  "type" | "version" | "changed" | "actor" | "request" | "participants"
>;

/**
 * One change as the feed has it, before the rights of a reader. Another build may have stored a
 * kind or an operation that this one does not know.
 */
export interface FeedEvent extends KeptDetails {
  /** `epoch.number.index`; a repetition has the same id. */
  readonly id: string;
  readonly workspaceId: string;
  /** The time of the transaction's commit, nearly. */
  readonly at: string;
  /** `record`, `file`, `document`, `job`, `member`, `role`, `object-type` and others. */
  readonly kind: string;
  /** The id of what has changed, or `*` for many. */
  readonly subject: string;
  /** `created`, `updated`, `deleted`, `restored`, `erased`, `completed` and others. */
  readonly op: string;
  /** Values of the type's indexed properties before and after the change. */
  readonly before?: IndexedValues | undefined;
  readonly after?: IndexedValues | undefined;
}

/** True if the event's `type` is the slug of an Object Type. */
export function isOfRecord({ kind }: Pick<FeedEvent, "kind">): boolean {
  return kind === "record" || kind === "file";
}

export type IndexedValues = Readonly<Record<string, unknown>>;

/** An event, and the position of a reader that continues after it. */
export interface PlacedEvent extends FeedEvent {
  readonly position: FeedPosition;
}

/** Opaque text, which a durable reader stores; a cursor for clients is signed in addition. */
export type FeedPosition = string;

/**
 * - `epoch`: the database was restored, or is another one.
 * - `pruned`: changes after the position were removed.
 * - `unknown-cursor`: the text is no cursor of this workspace.
 */
export type ResetReason = "epoch" | "pruned" | "unknown-cursor";

/** The changes after a position are not known: all lists are to be read again. */
export interface FeedReset {
  readonly reset: ResetReason;
  /** Paths of the lists to read again. */
  readonly resources: readonly string[];
  /** The position to continue from; read it before the lists. */
  readonly next: FeedPosition;
}

export interface FeedPage {
  readonly reset?: undefined;
  readonly events: readonly PlacedEvent[];
  readonly next: FeedPosition;
  /** False if there are more events, which the next call reads at once. */
  readonly isWhole: boolean;
}
