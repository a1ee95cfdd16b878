/** One change as the feed has it, before the rights of a reader. */
export interface FeedEvent {
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
  /** The slug of the record's type. */
  readonly type?: string | undefined;
  /** The version after the change. */
  readonly version?: number | undefined;
  /** Names of the changed properties. */
  readonly changed?: readonly string[] | undefined;
  /** Values of the type's indexed properties before and after the change. */
  readonly before?: IndexedValues | undefined;
  readonly after?: IndexedValues | undefined;
  readonly actor?: string | undefined;
  readonly request?: string | undefined;
  /** The only users who may read it; undefined for all whose role allows it. */
  readonly participants?: readonly string[] | undefined;
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
