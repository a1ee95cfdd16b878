import type { Reader, Writer } from "../../../database/database.ts";
import { isOneOf } from "../../../database/dialect.ts";
import { countRows } from "../../../database/row-pages.ts";
import { byDialect, raw, statement, type Statement } from "../../../database/statement.ts";
import type { Link, TypeKey } from "../../object-types/service.ts";

/** A link of a record of a type. */
export interface SourcedLink extends Link {
  readonly source: string;
}

export async function addLinks(
  writer: Writer,
  type: TypeKey,
  links: readonly SourcedLink[],
): Promise<void> {
  if (links.length === 0) return;
  await writer.run(statement`insert into record_links
    (workspace_id, type_number, path, target_id, source_id)
    select ${type.workspaceId}, ${type.number}, given.* from (${rowsOf(links)}) as given
    where true on conflict do nothing`);
}

export async function removeLinks(
  writer: Writer,
  type: TypeKey,
  links: readonly SourcedLink[],
): Promise<void> {
  if (links.length === 0) return;
  await writer.run(statement`delete from record_links where ${ofType(type)}
    and (path, target_id, source_id) in (${rowsOf(links)})`);
}

/** Removes up to `limit` links of a type; returns how many. */
export async function removeAllLinks(
  writer: Writer,
  type: TypeKey,
  limit: number,
): Promise<number> {
  const some = (key: Statement) =>
    statement`select ${key} from record_links where ${ofType(type)} limit ${limit}`;
  const { changedRows } = await writer.run(
    byDialect({
      sqlite: statement`delete from record_links where ${ofType(type)}
        and (path, target_id, source_id) in (${some(raw("path, target_id, source_id"))})`,
      postgresql: statement`delete from record_links where ctid = any (array(${some(raw("ctid"))}))`,
    }),
  );
  return changedRows;
}

/** Links at a path to these records, at most `limit`. */
export async function linksTo(
  reader: Reader,
  type: TypeKey,
  { path, targets }: { readonly path: string; readonly targets: readonly string[] },
  limit: number,
): Promise<SourcedLink[]> {
  return reader.all<SourcedLink>(statement`select path, target_id as target, source_id as source
    from record_links where ${isLinkTo(type, path, targets)} limit ${limit}`);
}

export async function countLinksTo(
  reader: Reader,
  type: TypeKey,
  path: string,
  targets: readonly string[],
): Promise<number> {
  return countRows(reader, statement`from record_links where ${isLinkTo(type, path, targets)}`);
}

/** The given links that are stored. */
export async function presentLinks(
  reader: Reader,
  type: TypeKey,
  links: readonly SourcedLink[],
): Promise<SourcedLink[]> {
  if (links.length === 0) return [];
  return reader.all<SourcedLink>(statement`select path, target_id as target, source_id as source
    from record_links where ${ofType(type)} and (path, target_id, source_id) in (${rowsOf(links)})`);
}

/** The next links after one at the same path, in the order of their targets and sources. */
export async function linksAt(
  reader: Reader,
  type: TypeKey,
  { path, target, source, limit }: SourcedLink & { readonly limit: number },
): Promise<SourcedLink[]> {
  return reader.all<SourcedLink>(statement`select path, target_id as target, source_id as source
    from record_links where ${ofType(type)} and path = ${path}
      and (target_id, source_id) > (${target}, ${source})
    order by target_id, source_id limit ${limit}`);
}

function isLinkTo(type: TypeKey, path: string, targets: readonly string[]): Statement {
  return statement`${ofType(type)} and path = ${path} and ${isOneOf(raw("target_id"), targets)}`;
}

function ofType({ workspaceId, number }: TypeKey): Statement {
  return statement`workspace_id = ${workspaceId} and type_number = ${number}`;
}

function rowsOf(links: readonly SourcedLink[]): Statement {
  const list = JSON.stringify(links.map(({ path, target, source }) => ({ path, target, source })));
  return byDialect({
    sqlite: statement`select value ->> 'path', value ->> 'target', value ->> 'source'
      from json_each(${list})`,
    postgresql: statement`select path, target, source
      from jsonb_to_recordset(${list}::text::jsonb) as link(path text, target text, source text)`,
  });
}
