import type * as zod from "zod";
import type { BackupManifest } from "#server/platform/backup/manifest.ts";
import { given } from "#lib/given.ts";

/** The content of a backup, for the answers of `serve backup` and `serve restore`. */
export function backupContent({ database, files, keyId }: BackupManifest) {
  const included = database.engine === "sqlite";
  return {
    facts: {
      database: { ...database, included },
      files: { count: files.count, bytes: files.bytes },
      ...given({ keyId }),
    },
    fields: [
      ["database", included ? `${database.size} bytes` : "not included"],
      ["files", `${files.count} (${files.bytes} bytes)`],
      ...(keyId === undefined ? [] : ([["key", keyId]] as const)),
    ],
    note: included
      ? undefined
      : "The database is PostgreSQL: back it up with pg_dump and restore it with pg_restore. " +
        "This backup has only the files.",
  } as const;
}

/** The schemas of what both answers have of a backup. */
export function backupFacts(z: typeof zod) {
  return {
    database: z.looseObject({ engine: z.string(), included: z.boolean() }),
    files: z.strictObject({ count: z.int(), bytes: z.int() }),
  };
}
