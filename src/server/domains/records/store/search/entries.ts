import type { Reader, Writer } from "../../../../database/database.ts";
import { recordNumbers } from "../../../../database/shared-numbers.ts";
import { statement, type Statement } from "../../../../database/statement.ts";
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
async function placesOf(
  reader: Reader,
  ids: readonly string[],
): Promise<(id: string) => EntryPlace> {
  return reader.dialect === "sqlite" ? recordNumbers(reader, ids) : (id) => id;
}

async function placed(
  writer: Writer,
  writes: readonly EntryWrite[],
): Promise<readonly index.EntryWrite[]> {
  const ids = writes.map(({ id }) => id);
  const placeOfId = await placesOf(writer, ids);
  return writes.map(({ id, entry }) => ({ place: placeOfId(id), entry }));
}

export async function insertEntries(
  writer: Writer,
  type: TypeKey,
  writes: readonly EntryWrite[],
): Promise<void> {
  if (writes.length === 0) return;
  await index.insertEntries(writer, sourceOf(type), await placed(writer, writes));
}

/** Replaces entries, or adds them where there are none. */
export async function replaceEntries(
  writer: Writer,
  type: TypeKey,
  writes: readonly EntryWrite[],
): Promise<void> {
  if (writes.length === 0) return;
  await index.replaceEntries(writer, sourceOf(type), await placed(writer, writes));
}

export async function removeEntries(
  writer: Writer,
  type: TypeKey,
  ids: readonly string[],
): Promise<void> {
  const places = ids.map(await placesOf(writer, ids));
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
  const placeOfId = await placesOf(reader, ids);
  const places = new Map(ids.map((id) => [placeOfId(id), id]));
  const found = await index.entryChecksums(reader, sourceOf(type), [...places.keys()]);
  return new Map([...found].map(([place, checksum]) => [places.get(place) ?? "", checksum]));
}
