import { isOneOf } from "../../../database/dialect.ts";
import { jsonText } from "../../../database/dialect.ts";
import type { Reader, Writer } from "../../../database/database.ts";
import { raw, statement } from "../../../database/statement.ts";
import type { SearchWords } from "../../../search-index/word-list.ts";
import type { Transaction, Work } from "../../../work/work.ts";
import { archivedPassages } from "../../documents/service.ts";
import { documentTable, settledDocument } from "../tables.ts";
import { copyRows, type Line } from "./copy-rows.ts";

const numberPattern = /^DOC-(\d{4})-(\d+)$/;

/** Inserts documents; one whose id, number or content the workspace has is left out. */
export async function storeDocuments(
  tx: Transaction,
  workspaceId: string,
  lines: readonly Line[],
): Promise<number> {
  let count = 0;
  for (const line of lines) {
    // Archives of earlier builds have documents as they were.
    const row = { ...line, ...settledDocument(line["status"]) };
    if ((await copyRows(tx, workspaceId, documentTable, [row])) === 0) continue;
    count += 1;
    await keepNumber(tx, workspaceId, String(line["number"]));
    const version = Number(line["version"]);
    tx.event("document", String(line["id"]), workspaceId, { op: "created", version });
  }
  return count;
}

/** New documents get numbers after those of the archive. */
async function keepNumber(writer: Writer, workspaceId: string, number: string): Promise<void> {
  const [, year, count] = numberPattern.exec(number) ?? [];
  if (year === undefined) return;
  await writer.run(statement`insert into document_counters (workspace_id, name, value)
    values (${workspaceId}, ${`number-${year}`}, ${Number(count)})
    on conflict (workspace_id, name) do update set value = excluded.value
      where document_counters.value < excluded.value`);
}

/** The lines of documents that the workspace has. */
export async function ofStoredDocuments(
  reader: Reader,
  workspaceId: string,
  lines: readonly Line[],
): Promise<Line[]> {
  const ids = [...new Set(lines.map((line) => String(line["document_id"])))];
  const rows = await reader.all<{ id: string }>(statement`select id from documents
    where workspace_id = ${workspaceId} and ${isOneOf(raw("id"), ids)}`);
  const stored = new Set(rows.map(({ id }) => id));
  return lines.filter((line) => stored.has(String(line["document_id"])));
}

interface PassageOwner {
  readonly id: string;
  readonly filename: string;
  readonly properties: string | null;
  readonly context: string;
}

/** Stores passages with their search entries; those that a document has already stay. */
export async function storePassages(
  work: Work,
  words: SearchWords,
  workspaceId: string,
  lines: readonly Line[],
  write: <T>(unit: (tx: Transaction) => Promise<T>) => Promise<T>,
): Promise<number> {
  const ids = [...new Set(lines.map((line) => String(line["document_id"])))];
  const owners = await work.read.all<PassageOwner>(statement`select id, filename,
      ${jsonText<string | null>("properties")} as properties, ${jsonText("context")} as context
    from documents where workspace_id = ${workspaceId} and ${isOneOf(raw("id"), ids)}`);
  let count = 0;
  for (const owner of owners) {
    const own = lines.filter((line) => line["document_id"] === owner.id);
    const first = Number(own[0]?.["ordinal"] ?? 0);
    const known = await work.read.all<{ ordinal: number }>(statement`select ordinal
      from document_chunks where workspace_id = ${workspaceId} and document_id = ${owner.id}
        and ordinal >= ${first} order by ordinal limit ${own.length}`);
    const stored = new Set(known.map(({ ordinal }) => Number(ordinal)));
    const missing = own.filter((line) => !stored.has(Number(line["ordinal"])));
    count += await archivedPassages({ words, write }, { workspaceId, ...owner }, missing);
  }
  return count;
}
