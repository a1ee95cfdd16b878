import type { Reader, Writer } from "../database/database.ts";
import { statement } from "../database/statement.ts";
import { searchTermsVersion } from "../text/search/searched-texts.ts";

/** The kinds of searched texts. They share the index, and each has its own order of time. */
export const entryKinds = { record: 1, passage: 2 } as const;
export type EntryKind = keyof typeof entryKinds;

/** The records of a type, or the passages of a workspace. */
export interface EntrySource {
  readonly kind: EntryKind;
  readonly workspaceId: string;
  readonly number: number;
}

/** A number that no other source of the installation has or had. */
export async function nextSourceNumber(writer: Writer): Promise<number> {
  const row = await writer.first<{ last: number }>(statement`insert into source_numbers
    (name, last) values ('last', 1)
    on conflict (name) do update set last = source_numbers.last + 1 returning last`);
  if (row === undefined) throw new Error("the database gave no number for a source");
  return row.last;
}

/** The source of a workspace's passages; undefined before the first one. */
export async function passageSource(
  reader: Reader,
  workspaceId: string,
): Promise<EntrySource | undefined> {
  const row = await reader.first<{ number: number }>(
    statement`select number from passage_sources where workspace_id = ${workspaceId}`,
  );
  return row === undefined ? undefined : { kind: "passage", workspaceId, number: row.number };
}

/** The source of a workspace's passages; the first call makes it. */
export async function madePassageSource(writer: Writer, workspaceId: string): Promise<EntrySource> {
  const known = await passageSource(writer, workspaceId);
  if (known !== undefined) return known;
  const number = await nextSourceNumber(writer);
  // A unit that makes it at the same time waits here, and then takes this one.
  await writer.run(statement`insert into passage_sources (workspace_id, number, search_terms)
    values (${workspaceId}, ${number}, ${searchTermsVersion}) on conflict do nothing`);
  const made = await passageSource(writer, workspaceId);
  if (made === undefined) throw new Error("the database gave no source of passages");
  return made;
}

/** A source whose entries an earlier build has written, and the last document written again. */
export interface OutdatedPassages {
  readonly workspaceId: string;
  readonly rewrittenTo: string;
}

/** The next workspace whose passages have entries of an earlier build. */
export async function outdatedPassages(reader: Reader): Promise<OutdatedPassages | undefined> {
  return reader.first<OutdatedPassages>(statement`select workspace_id as "workspaceId",
      rewritten_to as "rewrittenTo" from passage_sources
    where search_terms < ${searchTermsVersion} order by workspace_id limit 1`);
}

/** Stores how far the entries are written again; undefined for all. */
export async function noteRewritten(
  writer: Writer,
  workspaceId: string,
  documentId: string | undefined,
): Promise<void> {
  const change =
    documentId === undefined
      ? statement`search_terms = ${searchTermsVersion}, rewritten_to = ''`
      : statement`rewritten_to = ${documentId}`;
  await writer.run(statement`update passage_sources set ${change}
    where workspace_id = ${workspaceId} and search_terms < ${searchTermsVersion}`);
}
