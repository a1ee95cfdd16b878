import type { Reader } from "../../database/database.ts";
import type { Changes } from "../../kit/changes.ts";
import { chained, type Promisable } from "../../kit/promisable.ts";
import type { Work } from "../../work/work.ts";
import type { CompiledType, ObjectTypeService } from "../object-types/service.ts";
import type { Secrets } from "../secrets/service.ts";
import { FeedCursors, feedReset, resourcesOf } from "./feed-cursors.ts";
import {
  isOfRecord,
  type FeedEvent,
  type FeedPage,
  type FeedPosition,
  type FeedReset,
  type PlacedEvent,
  type ResetReason,
} from "./feed-event.ts";
import { placeOf, positionOf, type Place } from "./position.ts";
import { readRows, type FeedLook, type FeedRow } from "./store.ts";
import { visibleTo, type FeedViewer } from "./visible.ts";
import { FeedWakes, type WakeParts } from "./wakes.ts";

export { FeedState, type OpenTransaction } from "./feed-state.ts";
export { cloudEvent, type CloudEventOptions } from "./cloud-event.ts";
export { compileFilter, type FeedFilter, type FilterInput, type Match } from "./filter.ts";
export { isOfRecord } from "./feed-event.ts";
export type {
  FeedEvent,
  FeedPage,
  FeedPosition,
  FeedReset,
  PlacedEvent,
  ResetReason,
} from "./feed-event.ts";
export { FeedCursors, resourcesOf } from "./feed-cursors.ts";
export { readableBy, visibleTo, type FeedViewer } from "./visible.ts";

/** Reads the feed of changes of one workspace, from any position that is still kept. */
export class Feed {
  readonly cursors: FeedCursors;
  readonly #wakes: FeedWakes;
  readonly #objectTypes: Pick<ObjectTypeService, "find">;

  constructor(
    parts: WakeParts & {
      readonly secrets: Pick<Secrets, "for">;
      readonly objectTypes: Pick<ObjectTypeService, "find">;
      readonly changes?: Pick<Changes, "commits">;
    },
  ) {
    this.cursors = new FeedCursors(parts.secrets, parts.changes?.commits);
    this.#wakes = new FeedWakes(parts);
    this.#objectTypes = parts.objectTypes;
  }

  /** The position after all changes that are committed now: read it before what it stands for. */
  position(work: Work, workspaceId: string): Promisable<FeedPosition> {
    return this.cursors.end(work.read, workspaceId);
  }

  /**
   * Reads the events after a position, at most those of `limit` transactions. An event is read at
   * least once, and those of one record in the order of their versions.
   */
  async read(
    work: { readonly read: Reader },
    workspaceId: string,
    position: FeedPosition,
    limit: number,
  ): Promise<FeedPage | FeedReset> {
    const { read } = work;
    const place = placeOf(position, read.dialect);
    const look = await readRows(
      read,
      workspaceId,
      place ?? noPlace,
      place === undefined ? 0 : limit,
    );
    const end = { epoch: look.epoch, number: look.number, seen: look.seen };
    const reset = place === undefined ? "unknown-cursor" : resetOf(place, look);
    if (place === undefined || reset !== undefined) {
      const reason = reset ?? "unknown-cursor";
      return { reset: reason, resources: resourcesOf(workspaceId), next: positionOf(end) };
    }
    return pageOf(workspaceId, place, look);
  }

  /** Calls the listener when the workspace may have new events; returns its removal. */
  wake(workspaceId: string, listener: () => void): () => void {
    return this.#wakes.add(workspaceId, listener);
  }

  /** The type of the event, or of its record; undefined for others, and for a deleted type. */
  typeOf(event: FeedEvent): Promisable<CompiledType | undefined> {
    const { kind, subject, type, workspaceId } = event;
    if (kind === "object-type") return this.#objectTypes.find(workspaceId, subject);
    if (type === undefined || !isOfRecord(event)) return undefined;
    return this.#objectTypes.find(workspaceId, type);
  }

  /** {@link visibleTo} with the type of the event's record. */
  visible(viewer: FeedViewer, event: FeedEvent): Promisable<FeedEvent | undefined> {
    return chained(this.typeOf(event), (type) => visibleTo(viewer, event, type));
  }

  /** The position of a client's cursor; refuses 410 for a text that is none of this workspace. */
  positionOf(work: Work, workspaceId: string, cursor: string): Promisable<FeedPosition> {
    const position = this.cursors.read(workspaceId, cursor);
    if (position !== undefined) return position;
    return chained(this.position(work, workspaceId), (next) => {
      throw this.refusal(workspaceId, {
        reset: "unknown-cursor",
        resources: resourcesOf(workspaceId),
        next,
      });
    });
  }

  /** 410 for a reader that cannot continue. */
  refusal(workspaceId: string, reset: FeedReset): Error {
    return feedReset(reset, this.cursors.sign(workspaceId, reset.next));
  }
}

const noPlace: Place = { epoch: "", number: 0 };

function resetOf(place: Place, look: FeedLook): ResetReason | undefined {
  const { epoch, number, index, seen } = place;
  if (epoch !== look.epoch) return "epoch";
  if (seen === undefined || look.snapshot === undefined) {
    // A number after the last one is of a database that has been lost.
    if (number > look.possible) return "epoch";
    return look.removed > BigInt(index === undefined ? number : number - 1) ? "pruned" : undefined;
  }
  const { xmax, running } = look.snapshot;
  if (seen.xmax > xmax) return "epoch";
  // The rows are removed in their order, so that a page was read as far as it has lost any.
  const read = look.isPlaceKept ? (place.upTo ?? seen) : seen;
  // A transaction that ran at the position and has ended since may be one of those removed.
  const hasEnded = (id: bigint): boolean => id < xmax && !running.includes(id);
  const isMissing =
    look.removed >= read.xmax || read.running.some((id) => id <= look.removed && hasEnded(id));
  return look.removed > 0n && isMissing ? "pruned" : undefined;
}

function pageOf(workspaceId: string, place: Place, look: FeedLook): FeedPage {
  const { epoch, rows, isFull } = look;
  const upTo = place.upTo ?? look.seen;
  const events = rows.flatMap((row) => {
    const from = row.number === place.number ? (place.index ?? -1) : -1;
    return eventsOf(workspaceId, epoch, row)
      .slice(from + 1)
      .map((event, at, { length }): PlacedEvent => {
        const index = at === length - 1 ? undefined : from + 1 + at;
        const next = { epoch, number: row.number, index, seen: place.seen, upTo };
        return { ...event, position: positionOf(next) };
      });
  });
  const last = rows.at(-1)?.number ?? place.number;
  // An earlier page may have ended at an older snapshot than that of now.
  const isWhole = !isFull && place.upTo === undefined;
  const next: Place =
    place.seen === undefined || isFull
      ? { epoch, number: last, seen: place.seen, upTo }
      : { epoch, number: 0, seen: upTo };
  return { events, next: positionOf(next), isWhole };
}

function eventsOf(
  workspaceId: string,
  epoch: string,
  { number, at, events }: FeedRow,
): FeedEvent[] {
  // Only the platform writes the column; rows of an earlier build have no `op`.
  const stored = JSON.parse(events) as (Omit<FeedEvent, "id" | "workspaceId" | "at" | "op"> & {
    readonly op?: string;
  })[];
  return stored.map(({ op = "updated", ...event }, index) => {
    return { ...event, op, workspaceId, at, id: `${epoch}.${number}.${index}` };
  });
}
