import type { Reader } from "./database.ts";
import { nothing, raw, statement, type Statement } from "./statement.ts";

/** A page of a list whose order is the time, the newest first, then the id. */
export interface NewestPage {
  /** The item before the page; undefined for a page by number. */
  readonly after?: { readonly createdAt: string; readonly id: string } | undefined;
  readonly limit: number;
  readonly offset: number;
}

/** The end of a select with conditions: those of the page, its order and its bounds. */
export function newestFirst(
  { after, limit, offset }: NewestPage,
  columns: { readonly time?: string; readonly id?: string } = {},
): Statement {
  const [time, id] = [raw(columns.time ?? "created_at"), raw(columns.id ?? "id")];
  const position =
    after === undefined
      ? nothing
      : statement`and (${time}, ${id}) < (${after.createdAt}, ${after.id})`;
  return statement`${position}
    order by ${time} desc, ${id} desc limit ${limit} offset ${offset}`;
}

/** The number of rows of `from … where …`. */
export async function countRows(reader: Reader, from: Statement): Promise<number> {
  const row = await reader.first<{ count: number }>(statement`select count(*) as count ${from}`);
  return Number(row?.count ?? 0);
}
