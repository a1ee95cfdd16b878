import { Shown, shown } from "#cli/shown.ts";
import { textOption } from "#cli/command.ts";
import { usageError } from "#cli/errors.ts";
import { command } from "../kit/command.ts";
import type { CommandContext } from "../kit/context.ts";
import { backupContent, backupFacts } from "./backup-content.ts";
import {
  backupKeyOptions,
  droppedWords,
  lostFilesSchema,
  noteLostFiles,
  openBackupObjects,
  placeWords,
} from "./backup-place.ts";
import { dataPlaceOptions, dataPlacesOf } from "./data-places.ts";

interface RestoreWords {
  readonly input?: string;
  readonly from?: string;
  readonly set?: string;
  readonly at?: string;
  readonly "data-dir"?: string;
  readonly "database-url"?: string;
  readonly "database-url-file"?: string;
  readonly "erasures-from"?: string;
  readonly "key-file"?: string;
  readonly "files-url"?: string;
  readonly "backup-key-file"?: string;
}

export default command({
  path: "serve restore",
  summary: "Restore a backup into an empty data directory",
  description:
    "Checks the digest of every part of the backup. A failed restore leaves no files. The " +
    "platform then starts with the key file of the data directory that was backed up. Before it " +
    "serves, it erases again what was erased or purged since the backup, by the list in the " +
    "backup. A place of scheduled backups of SQLite also has the log, so that `--at` restores a " +
    "state of at most 10 seconds before a time. Leases and waiting deliveries are dropped, the feed of changes begins again, and no " +
    "file is removed until `svc serve doctor` has compared the file store.",
  arguments: [],
  options: {
    input: {
      ...textOption("folder", "The folder that svc serve backup created"),
      excludes: ["from"],
    },
    from: textOption("place", `The place of scheduled backups. ${placeWords}`),
    set: textOption("name", "A backup of the place, whose state is restored"),
    at: {
      ...textOption("time", "The newest state that is not later; default the newest of all"),
      excludes: ["set"],
    },
    "backup-key-file": backupKeyOptions["backup-key-file"],
    "data-dir": dataPlaceOptions["data-dir"],
    "database-url": {
      ...dataPlaceOptions["database-url"],
      description: "An empty PostgreSQL database for a backup of PostgreSQL; also SVC_DATABASE_URL",
    },
    "database-url-file": dataPlaceOptions["database-url-file"],
    "erasures-from": textOption(
      "folder",
      "A later backup or the old data directory, whose list of erasures counts too",
    ),
    "key-file": {
      ...dataPlaceOptions["key-file"],
      description: "Check that the backup's database can be used with this key file",
    },
    "files-url": {
      ...dataPlaceOptions["files-url"],
      description: "An S3-compatible store for the files, as for svc serve",
    },
  },
  answer: ({ z }) =>
    z.looseObject({
      dataDir: z.string(),
      createdAt: z.string(),
      /** Ids of erasures that the next start applies before it serves. */
      erasures: z.int(),
      /** The restored platform has dropped these; null where the operator restores PostgreSQL. */
      dropped: z.strictObject({ leases: z.int(), deliveries: z.int(), mails: z.int() }).nullable(),
      /** Files that no place has, and at most 100 places that name them; of `--from` only. */
      lost: z.int().optional(),
      lostFiles: lostFilesSchema(z).optional(),
      ...backupFacts(z),
    }),
  examples: [
    "svc serve restore --input ./backup-2026-11-21 --data-dir ./restored",
    "svc serve restore --from ./backups --backup-key-file ./backup.key --data-dir ./restored-place",
  ],
  trials: [],
  async run({ options }, context) {
    if (options.from !== undefined) return restoreFromPlace(context, options, options.from);
    if (options.input === undefined) {
      throw usageError(
        "serve restore needs --input or --from",
        "Name a backup, or a place of them",
      );
    }
    const { output, signal } = context;
    const { restoreBackup } = await import("#server/platform/backup/restore.ts");
    const { databaseUrl: _other, ...places } = await dataPlacesOf(context, options);
    const report = await restoreBackup({
      ...places,
      input: context.resolvePath(options.input),
      erasuresFrom: erasuresFrom(context, options),
      signal,
      onFile: (files) => void output.progress(`${files} files`),
    });
    const { dataDirectory: dataDir, manifest, erasures, settled: dropped = null } = report;
    const { createdAt } = manifest;
    const { facts, fields, note } = backupContent(manifest);
    await output.data({ dataDir, createdAt, erasures, dropped, ...facts }, () =>
      output.fields([
        ["data directory", dataDir],
        ["backup of", createdAt],
        ...fields,
        ["erasures", String(erasures)],
      ]),
    );
    if (note !== undefined) await output.note(Shown.block(note));
    await noteKey(context, places, manifest.keyId);
  },
});

async function restoreFromPlace(
  context: CommandContext,
  options: RestoreWords,
  from: string,
): Promise<void> {
  const { output, signal } = context;
  const at = options.at === undefined ? undefined : new Date(options.at);
  if (at !== undefined && Number.isNaN(at.getTime())) {
    throw usageError(`--at "${options.at}" is not a time`, "Expected 2026-11-27T16:00:00Z");
  }
  const places = await dataPlacesOf(context, options);
  const { objects } = await openBackupObjects(context, from, options, { makes: false });
  const { restoreSet } = await import("#server/platform/backup/sets/restore-set.ts");
  const { manifest, state, ...restored } = await restoreSet({
    ...places,
    objects,
    name: options.set,
    at,
    erasuresFrom: erasuresFrom(context, options),
    signal,
    onFile: (files) => void output.progress(`${files} files`),
  });
  const { erasures, settled, lost, lostFiles, fromVersions } = restored;
  const { name, createdAt, engine, files, keyId } = manifest;
  const dataDir = places.dataDirectory;
  await output.data(
    {
      dataDir,
      name,
      createdAt,
      erasures,
      dropped: settled,
      lost,
      lostFiles,
      fromVersions,
      state,
      database: { engine, included: true },
      files: { count: files.count, bytes: files.bytes },
    },
    () =>
      output.fields([
        ["data directory", dataDir],
        ["backup", name],
        ["backup of", createdAt],
        ["state of", state.at],
        ["database", engine],
        ["files", `${files.count} (${files.bytes} bytes)`],
        ["erasures", `${erasures}, which the next start applies`],
        ["dropped", droppedWords(settled)],
      ]),
  );
  await noteLostFiles(context, restored);
  if (!state.isCertain && at !== undefined) {
    await output.note(
      shown`The log in the place ends at ${state.at}: later changes, if any, are not restored`,
    );
  }
  await noteKey(context, places, keyId);
}

function erasuresFrom(context: CommandContext, options: RestoreWords): string | undefined {
  const { "erasures-from": from } = options;
  return from === undefined ? undefined : context.resolvePath(from);
}

async function noteKey(
  { output }: CommandContext,
  places: { readonly dataDirectory: string; readonly keyFile: string | undefined },
  keyId: string | undefined,
): Promise<void> {
  const { keyFileOf } = await import("#server/platform/key-file.ts");
  if (keyId === undefined || places.keyFile !== undefined || output.isJson) return;
  const place = `${keyFileOf(places)} (mode 0600)`;
  await output.note(shown`Before the start, copy the key file with the id ${keyId} to ${place}`);
}
