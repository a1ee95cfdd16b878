import { ArchiveDamagedError } from "#lib/archive/read-archive.ts";
import type { Writer } from "../../../database/database.ts";
import { jsonOf } from "../../../database/dialect.ts";
import { identifier, join, raw, statement, type Statement } from "../../../database/statement.ts";
import type { ArchivedTable } from "../tables.ts";

/** A line of a part as it was parsed. */
export type Line = Readonly<Record<string, unknown>>;

/** Inserts lines as rows; returns how many. A row whose key is taken stays as it is. */
export async function copyRows(
  writer: Writer,
  workspaceId: string,
  { table, columns }: Pick<ArchivedTable, "table" | "columns">,
  lines: readonly Line[],
): Promise<number> {
  if (lines.length === 0) return 0;
  const names = ["workspace_id", ...Object.keys(columns)];
  const rows = lines.map((line) => {
    const values = Object.entries(columns).map(([name, form]): Statement => {
      const value = line[name] ?? null;
      if (value === null) return raw("null");
      if (form === "json") return jsonOf(JSON.stringify(value));
      if (form === "ordered") return statement`${JSON.stringify(value)}`;
      if (typeof value === "number" || typeof value === "string") return statement`${value}`;
      throw new ArchiveDamagedError(`a line has no plain value of ${name}`);
    });
    return statement`(${join([statement`${workspaceId}`, ...values])})`;
  });
  const { changedRows } = await writer.run(statement`insert into ${identifier(table)}
    (${join(names.map((name) => identifier(name)))}) values ${join(rows)} on conflict do nothing`);
  return changedRows;
}
