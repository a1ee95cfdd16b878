import { uuidNumber } from "../../../../kit/ordered-uuid.ts";
import type { Reader, Writer } from "../../../../database/database.ts";
import { statement, type Dialect, type Statement } from "../../../../database/statement.ts";
import type { TypeKey } from "../../../object-types/service.ts";
import * as index from "../../../../search-index/entries.ts";
import type { EntryPlace, StoredEntry } from "../../../../search-index/entries.ts";
import type { EntrySource } from "../../../../search-index/sources.ts";
import { idOrder, placeOf } from "../record-numbers.ts";

/** A record's new entry; an entry without terms is not stored. */
export interface EntryWrite {
  readonly id: string;
  readonly entry: StoredEntry;
}

/** The type's records as a source of the search index. */
export function sourceOf({ workspaceId, number }: TypeKey): EntrySource {
  return { kind: "record", workspaceId, number };
}

/** An entry's place is {@link idOrder} of its record. */
function placeOfRecord(dialect: Dialect, id: string): EntryPlace {
  return dialect === "sqlite" ? uuidNumber(id) : id;
}

function placed(writer: Writer, writes: readonly EntryWrite[]): index.EntryWrite[] {
  return writes.map(({ id, entry }) => ({ place: placeOfRecord(writer.dialect, id), entry }));
}

export async function insertEntries(
  writer: Writer,
  type: TypeKey,
  writes: readonly EntryWrite[],
): Promise<void> {
  await index.insertEntries(writer, sourceOf(type), placed(writer, writes));
}

/** Replaces entries, or adds them where there are none. */
export async function replaceEntries(
  writer: Writer,
  type: TypeKey,
  writes: readonly EntryWrite[],
): Promise<void> {
  await index.replaceEntries(writer, sourceOf(type), placed(writer, writes));
}

export async function removeEntries(
  writer: Writer,
  type: TypeKey,
  ids: readonly string[],
): Promise<void> {
  const places = ids.map((id) => placeOfRecord(writer.dialect, id));
  await index.removeEntries(writer, sourceOf(type), places);
}

/** Removes up to `limit` entries of a type; returns how many. */
export function removeAllEntries(writer: Writer, type: TypeKey, limit: number): Promise<number> {
  return index.removeAllEntries(writer, sourceOf(type), limit);
}

export interface EntryRange {
  readonly afterId: string;
  /** Undefined for no upper bound. */
  readonly upToId?: string | undefined;
}

/** Removes entries in a range of ids whose records no longer exist. */
export function removeStrayEntries(
  writer: Writer,
  type: TypeKey,
  { afterId, upToId }: EntryRange,
  limit: number,
): Promise<number> {
  const range = {
    afterPlace: placeOf(afterId),
    upToPlace: upToId === undefined ? undefined : placeOf(upToId),
    isStray: isStray(type),
  };
  return index.removeStrayEntries(writer, sourceOf(type), range, limit);
}

export function countStrayEntries(reader: Reader, type: TypeKey): Promise<number> {
  return index.countStrayEntries(reader, sourceOf(type), isStray(type));
}

function isStray(type: TypeKey): Statement {
  return statement`not exists (select 1 from resources where workspace_id = ${type.workspaceId}
    and type_number = ${type.number} and ${idOrder} = ${index.entryPlace})`;
}

/** The checksums of entries with terms, by the records' ids. */
export async function entryChecksums(
  reader: Reader,
  type: TypeKey,
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const places = new Map(ids.map((id) => [placeOfRecord(reader.dialect, id), id]));
  const found = await index.entryChecksums(reader, sourceOf(type), [...places.keys()]);
  return new Map([...found].map(([place, checksum]) => [places.get(place) ?? "", checksum]));
}
