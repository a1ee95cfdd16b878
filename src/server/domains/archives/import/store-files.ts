import { isJsonObject } from "#lib/json/value.ts";
import { ownMember } from "#lib/own-member.ts";
import { insertInto, statement } from "../../../database/statement.ts";
import type { Transaction } from "../../../work/work.ts";
import type { CompiledType } from "../../object-types/service.ts";
import { recordsOfWorkspace } from "../../records/service.ts";

/** A file of a record of an archive; the type is undefined where the workspace has none. */
interface ArchivedFile {
  readonly id: string;
  readonly property: string;
  readonly type: CompiledType | undefined;
  readonly filename: string;
  readonly content_type: string;
  readonly size: number;
  readonly sha256: string;
}

/** Stores files that the data of their records names, and refuses the others. */
export async function storeRecordFiles(
  tx: Transaction,
  workspaceId: string,
  files: readonly ArchivedFile[],
): Promise<{
  readonly stored: number;
  readonly refused: readonly { readonly id: string; readonly reason: string }[];
}> {
  const ids = [...new Set(files.map(({ id }) => id))];
  const rows = await recordsOfWorkspace(tx, workspaceId, ids);
  const records = new Map(rows.map((row) => [row.id, row]));
  const refused: { id: string; reason: string }[] = [];
  let stored = 0;
  for (const { id, property, type, ...file } of files) {
    const record = records.get(id);
    const data: unknown = JSON.parse(record?.data ?? "{}");
    const value = isJsonObject(data) ? ownMember(data, property) : undefined;
    const isNamed =
      type?.number === record?.number &&
      type?.properties[property]?.type === "file" &&
      isJsonObject(value) &&
      value["sha256"] === file.sha256;
    if (type === undefined || !isNamed) {
      refused.push({ id, reason: `its record does not have this file in ${property}` });
      continue;
    }
    const own = { workspace_id: workspaceId, resource_id: id, property, type_number: type.number };
    const { filename, content_type, size, sha256 } = file;
    const row = { ...own, filename, content_type, size, sha256 };
    const { changedRows } = await tx.run(
      statement`${insertInto("resource_files", row)} on conflict do nothing`,
    );
    stored += changedRows;
  }
  return { stored, refused };
}
