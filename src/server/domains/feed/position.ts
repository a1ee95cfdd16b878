import type { Dialect } from "../../database/statement.ts";
import type { FeedPosition } from "./feed-event.ts";

/** The place of a reader. */
export interface Place {
  readonly epoch: string;
  /** The number of the last row, within the page; 0 before its first one. */
  readonly number: number;
  /** The index of the last event in that row; undefined if the whole row was read. */
  readonly index?: number | undefined;
  /** The transactions whose rows were read before the page, on PostgreSQL only. */
  readonly seen?: Snapshot | undefined;
  /** The transactions whose rows the page has, on PostgreSQL; undefined before a page. */
  readonly upTo?: Snapshot | undefined;
}

/** The transactions that a reader has seen: those below `xmax` without the `running` ones. */
export interface Snapshot {
  readonly xmin: bigint;
  readonly xmax: bigint;
  readonly running: readonly bigint[];
}

/** A snapshot of more becomes its lower bound, after which rows may repeat. */
const maximumRunning = 200;

/** Parses a snapshot in PostgreSQL's form `xmin:xmax:xip,xip`. */
export function snapshotOf(text: string): Snapshot {
  const [least = "0", next = least, ids = ""] = text.split(":");
  const xmin = BigInt(least);
  const running = ids === "" ? [] : ids.split(",").map(BigInt);
  if (running.length > maximumRunning) return { xmin, xmax: xmin, running: [] };
  return { xmin, xmax: BigInt(next), running };
}

/**
 * Returns the snapshot up to the newest row that it shows. After a crash PostgreSQL gives higher
 * numbers again, so that a reader has seen none of those.
 */
export function boundedBy({ xmax, running }: Snapshot, newest: bigint): Snapshot {
  const next = newest < xmax ? newest + 1n : xmax;
  const open = running.filter((id) => id < next);
  return { xmin: open[0] ?? next, xmax: next, running: open };
}

export function snapshotText({ xmin, xmax, running }: Snapshot): string {
  return `${xmin}:${xmax}:${running.join(",")}`;
}

/** `epoch~number.index`, on PostgreSQL with the two snapshots. */
export function positionOf({ epoch, number, index, seen, upTo }: Place): FeedPosition {
  const row = index === undefined ? String(number) : `${number}.${index}`;
  const snapshots = [seen, upTo].flatMap((each) => (each === undefined ? [] : [shortText(each)]));
  return [epoch, row, ...snapshots].join("~");
}

/** Undefined for a text that is no position on this engine. */
export function placeOf(position: FeedPosition, dialect: Dialect): Place | undefined {
  const parts = /^(\w+)~(\d{1,16})(?:\.(\d{1,9}))?(?:~([0-9a-z:,]+))?(?:~([0-9a-z:,]+))?$/.exec(
    position,
  );
  const [, epoch, number, index, seen, upTo] = parts ?? [];
  if (epoch === undefined || (seen === undefined) !== (dialect === "sqlite")) return undefined;
  return {
    epoch,
    number: Number(number),
    index: index === undefined ? undefined : Number(index),
    seen: seen === undefined ? undefined : longSnapshot(seen),
    upTo: upTo === undefined ? undefined : longSnapshot(upTo),
  };
}

/** Numbers as differences to the least one, so that a cursor fits into a header field. */
function shortText({ xmin, xmax, running }: Snapshot): string {
  const short = (id: bigint): string => (id - xmin).toString(36);
  return `${xmin.toString(36)}:${short(xmax)}:${running.map(short).join(",")}`;
}

function longSnapshot(text: string): Snapshot {
  const [least = "", next = "", ids = ""] = text.split(":");
  const xmin = numberOf(least);
  const long = (id: string): bigint => xmin + numberOf(id);
  return { xmin, xmax: long(next), running: ids === "" ? [] : ids.split(",").map(long) };
}

function numberOf(text: string): bigint {
  return Array.from(text).reduce(
    (sum, digit) => sum * 36n + BigInt(Number.parseInt(digit, 36)),
    0n,
  );
}
