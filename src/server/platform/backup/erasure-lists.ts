import { existsSync } from "node:fs";
import { appendFile, open, readFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { timestamp, uuid } from "#contract/values.ts";
import { parsedJson } from "#lib/json/value.ts";
import { erasedKinds, type ErasedId, type ErasureLists } from "../../domains/erasures/service.ts";
import { syncFolder } from "../../files/folders.ts";
import type { Logger } from "../../kit/logger.ts";
import { backupNames } from "./manifest.ts";

export const erasedId = z.object({
  kind: z.enum(erasedKinds),
  workspaceId: uuid,
  id: z.string().min(1).max(200),
  at: timestamp,
});

/** The backups of a data directory, one path a line, as JSON. */
const backupsFilename = "backups.ndjson";

/** The ids of a list; none without it. A line that a crash has cut is left out. */
export async function readErasureList(folder: string): Promise<ErasedId[]> {
  const path = join(folder, backupNames.erasures);
  if (!existsSync(path)) return [];
  const lines = (await readFile(path, "utf8")).split("\n");
  return lines.flatMap((line) => {
    const parsed = erasedId.safeParse(parsedJson(line));
    return parsed.success ? [parsed.data] : [];
  });
}

/** Adds ids that the list of a folder lacks, and returns these. */
export async function addToErasureList(
  folder: string,
  ids: readonly ErasedId[],
): Promise<readonly ErasedId[]> {
  const known = new Set((await readErasureList(folder)).map(nameOf));
  const missing = ids.filter((each) => !known.has(nameOf(each)));
  if (missing.length === 0) return missing;
  const path = join(folder, backupNames.erasures);
  const isNew = !existsSync(path);
  const text = missing
    .map(({ kind, workspaceId, id, at }) => JSON.stringify({ kind, workspaceId, id, at }))
    .join("\n");
  const handle = await open(path, "a", 0o600);
  try {
    // A cut line before it ends here.
    await handle.writeFile(`${isNew ? "" : "\n"}${text}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  if (isNew) await syncFolder(folder);
  return missing;
}

function nameOf({ kind, workspaceId, id }: ErasedId): string {
  return `${kind} ${workspaceId} ${id}`;
}

/** Notes a new backup, whose list then gets the ids of later erasures. */
export async function noteBackup(dataDirectory: string, backup: string): Promise<void> {
  const line = `${JSON.stringify({ backup })}\n`;
  await appendFile(join(dataDirectory, backupsFilename), line, { mode: 0o600 });
}

/** The backups of a data directory that are still at their places. */
async function backupsOf(dataDirectory: string): Promise<string[]> {
  const path = join(dataDirectory, backupsFilename);
  if (!existsSync(path)) return [];
  const backups = new Set<string>();
  for (const line of (await readFile(path, "utf8")).split("\n")) {
    const parsed = noted.safeParse(parsedJson(line));
    if (parsed.success) backups.add(parsed.data.backup);
  }
  return [...backups].filter((backup) => existsSync(join(backup, backupNames.manifest)));
}

const noted = z.object({ backup: z.string() });

/** The lists of a data directory and of its backups. `alsoTo` gets the ids that are new there. */
export function erasureLists(
  dataDirectory: string,
  logger: Logger,
  alsoTo?: (ids: readonly ErasedId[]) => Promise<void> | undefined,
): ErasureLists {
  return {
    read: () => readErasureList(dataDirectory),
    async add(ids) {
      if (ids.length === 0) return;
      const missing = await addToErasureList(dataDirectory, ids);
      if (missing.length > 0) await alsoTo?.(missing);
      for (const backup of await backupsOf(dataDirectory)) {
        await addToErasureList(backup, ids).catch((error: unknown) =>
          logger.error({ event: "erasures-not-in-backup", backup, error: String(error) }),
        );
      }
    },
  };
}
