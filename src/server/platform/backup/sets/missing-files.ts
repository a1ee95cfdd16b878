import type { Reader } from "../../../database/database.ts";
import { statement } from "../../../database/statement.ts";
import type { BlobAddress } from "../../../files/blob-store.ts";

/** A place of a restored state that names a file which no backup and no file store has. */
export interface MissingFile {
  readonly tenantId: string;
  /** `import` is a file of features whose import has not ended. */
  readonly kind: "record" | "document" | "import";
  /** The id of the record or document, or of the import's job. */
  readonly id: string;
  /** The Object Type and the property of a record; null otherwise. */
  readonly objectType: string | null;
  readonly property: string | null;
  readonly filename: string | null;
  readonly sha256: string;
}

/** Names at most `limit` places of one file, in the order of their ids. */
export async function placesOfFile(
  reader: Reader,
  { workspaceId, sha256 }: BlobAddress,
  limit: number,
): Promise<readonly MissingFile[]> {
  const rows = await reader.all<Omit<MissingFile, "tenantId" | "sha256">>(statement`
    select 'document' as kind, id, null as "objectType", null as property, filename
      from documents where workspace_id = ${workspaceId} and sha256 = ${sha256}
    union all
    select 'record', resource_id, object_types.slug, property, filename
      from resource_files left join object_types
        on object_types.workspace_id = resource_files.workspace_id
        and object_types.number = resource_files.type_number
      where resource_files.workspace_id = ${workspaceId} and sha256 = ${sha256}
    union all
    select 'import', job_id, null, null, null
      from geo_imports where workspace_id = ${workspaceId} and sha256 = ${sha256}
    order by kind, id, property limit ${limit}`);
  return rows.map((row) => ({ tenantId: workspaceId, ...row, sha256 }));
}
