import type { Reader } from "../../database/database.ts";
import type { Transaction } from "../../work/work.ts";
import { countRows } from "../../database/row-pages.ts";
import { join, statement } from "../../database/statement.ts";
import { objectTypeBySlug, rowOf, type StoredObjectType } from "./stored-types.ts";

export async function knownSlugs(
  reader: Reader,
  workspaceId: string,
  slugs: readonly string[],
): Promise<ReadonlySet<string>> {
  if (slugs.length === 0) return new Set();
  const rows = await reader.all<{ slug: string }>(statement`select slug from object_types
    where workspace_id = ${workspaceId} and slug in (${join(slugs)})`);
  return new Set(rows.map((row) => row.slug));
}

/** The slugs of a workspace's types, sorted. */
export async function slugsOf(reader: Reader, workspaceId: string): Promise<string[]> {
  const rows = await reader.all<{ slug: string }>(statement`select slug from object_types
    where workspace_id = ${workspaceId} order by slug`);
  return rows.map(({ slug }) => slug);
}

export async function slugOfName(
  reader: Reader,
  workspaceId: string,
  name: string,
): Promise<string | undefined> {
  const row = await reader.first<{ slug: string }>(statement`select slug from object_types
    where workspace_id = ${workspaceId} and name = ${name}`);
  return row?.slug;
}

export async function countObjectTypes(reader: Reader, workspaceId: string): Promise<number> {
  return countRows(reader, statement`from object_types where workspace_id = ${workspaceId}`);
}

export async function definitionBytes(reader: Reader, workspaceId: string): Promise<number> {
  const row = await reader.first<{ bytes: number | null }>(statement`select
    sum(octet_length(definition)) as bytes from object_types where workspace_id = ${workspaceId}`);
  return Number(row?.bytes ?? 0);
}

export async function insertObjectType(tx: Transaction, type: StoredObjectType): Promise<void> {
  const row = rowOf(type);
  await tx.run(statement`insert into object_types (workspace_id, id, number, slug, name,
      definition, slots, loose, search_state, on_delete, links_state, text_order, search_terms,
      status, version, revision, created_by, updated_by, created_at, updated_at)
    values (${row.workspace_id}, ${row.id}, ${row.number}, ${row.slug}, ${row.name},
      ${row.definition}, ${row.slots}, ${row.loose}, ${row.search_state},
      ${row.on_delete}, ${row.links_state}, ${row.text_order}, ${row.search_terms}, ${row.status},
      ${row.version}, ${row.revision}, ${row.created_by}, ${row.updated_by}, ${row.created_at},
      ${row.updated_at})`);
  const { slug, workspace_id: workspaceId, version } = type;
  tx.event("object-type", slug, workspaceId, { op: "created", version });
}

/** The identity of a type, without its definition. */
export type TypeIdentity = Pick<
  StoredObjectType,
  "id" | "version" | "created_by" | "created_at" | "updated_by" | "updated_at"
>;

/** Gives a type another identity if it has no record; the type as it is then. */
export async function takeIdentity(
  tx: Transaction,
  workspaceId: string,
  slug: string,
  to: TypeIdentity,
): Promise<StoredObjectType | undefined> {
  const { changedRows } = await tx.run(statement`update object_types set id = ${to.id},
      version = ${to.version}, revision = revision + 1, created_by = ${to.created_by},
      created_at = ${to.created_at}, updated_by = ${to.updated_by}, updated_at = ${to.updated_at}
    where workspace_id = ${workspaceId} and slug = ${slug} and not exists (
      select 1 from resources where resources.workspace_id = object_types.workspace_id
        and type_number = object_types.number)`);
  if (changedRows === 0) return undefined;
  tx.event("object-type", slug, workspaceId, { version: to.version });
  return objectTypeBySlug(tx, workspaceId, slug);
}

/** Removes a type that was never changed and never had a record; false for another one. */
export async function removeUntouched(
  tx: Transaction,
  workspaceId: string,
  slug: string,
): Promise<boolean> {
  const { changedRows } = await tx.run(statement`delete from object_types
    where workspace_id = ${workspaceId} and slug = ${slug} and version = 1
      and not exists (select 1 from resources
        where resources.workspace_id = object_types.workspace_id
          and resources.type_number = object_types.number)
      and not exists (select 1 from resource_history
        where resource_history.type_number = object_types.number)`);
  return changedRows > 0;
}
