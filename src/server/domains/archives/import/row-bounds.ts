import type { Reader } from "../../../database/database.ts";
import { isOneOf } from "../../../database/dialect.ts";
import { identifier, join, nothing, statement } from "../../../database/statement.ts";
import type { ArchivedTable, MostRows } from "../tables.ts";
import type { Line } from "./copy-rows.ts";

/**
 * The lines for which a workspace has room: it never has more rows than its requests could make,
 * because later work reads all of them. Lines that it has already are left to the insert.
 */
export async function withinMost(
  reader: Reader,
  workspaceId: string,
  table: Pick<ArchivedTable, "table" | "key" | "most">,
  lines: readonly Line[],
): Promise<{ readonly within: readonly Line[]; readonly beyond: readonly Line[] }> {
  const { most } = table;
  if (most === undefined) return { within: lines, beyond: [] };
  const counts = await countsOf(reader, workspaceId, table.table, most);
  const shareOf = (line: Line): string => (most.per === undefined ? "" : String(line[most.per]));
  const isFull = [...Map.groupBy(lines, shareOf)].some(
    ([share, own]) => (counts.get(share) ?? 0) + own.length > most.rows,
  );
  if (!isFull) return { within: lines, beyond: [] };
  const known = await knownKeys(reader, workspaceId, table, lines);
  const [within, beyond]: [Line[], Line[]] = [[], []];
  for (const line of lines) {
    const share = shareOf(line);
    const count = counts.get(share) ?? 0;
    if (known.has(keyOf(table, line))) within.push(line);
    else if (count >= most.rows) beyond.push(line);
    else {
      within.push(line);
      counts.set(share, count + 1);
    }
  }
  return { within, beyond };
}

/** The reason of a line beyond the rows that a workspace may have. */
export function beyondMost({ rows, per }: MostRows): string {
  const place = per === undefined ? "the workspace" : `one ${per.replaceAll("_", " ")}`;
  return `is beyond the ${rows.toLocaleString("en")} that ${place} may have`;
}

async function countsOf(
  reader: Reader,
  workspaceId: string,
  table: string,
  { per }: MostRows,
): Promise<Map<string, number>> {
  const share = per === undefined ? statement`''` : identifier(per);
  const group = per === undefined ? nothing : statement`group by ${identifier(per)}`;
  const rows = await reader.all<{ share: string; count: number }>(
    statement`select ${share} as share, count(*) as count from ${identifier(table)}
      where workspace_id = ${workspaceId} ${group}`,
  );
  return new Map(rows.map((row) => [row.share, Number(row.count)]));
}

type KeyedTable = Pick<ArchivedTable, "table" | "key">;

/** The keys of lines that the workspace has. */
async function knownKeys(
  reader: Reader,
  workspaceId: string,
  { table, key }: KeyedTable,
  lines: readonly Line[],
): Promise<Set<string>> {
  const [last = ""] = key.slice(-1);
  const columns = join(key.map((name) => identifier(name)));
  const values = lines.map((line) => String(line[last]));
  const rows = await reader.all<Record<string, string>>(
    statement`select ${columns} from ${identifier(table)}
      where workspace_id = ${workspaceId} and ${isOneOf(identifier(last), values)}`,
  );
  return new Set(rows.map((row) => keyOf({ key }, row)));
}

function keyOf({ key }: Pick<ArchivedTable, "key">, row: Line): string {
  return JSON.stringify(key.map((name) => String(row[name])));
}
