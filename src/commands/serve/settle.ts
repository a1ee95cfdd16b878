import { textOption } from "#cli/command.ts";
import { command } from "../kit/command.ts";
import {
  backupKeyOptions,
  droppedWords,
  lostFilesSchema,
  noteLostFiles,
  openBackupObjects,
  placeWords,
} from "./backup-place.ts";
import { dataPlaceOptions, dataPlacesOf } from "./data-places.ts";

export default command({
  path: "serve settle",
  summary: "Prepare a database that another program has restored",
  description:
    "Does after a restore by another program, e.g. pgBackRest, what `svc serve restore` does: it adds the files that the " +
    "database names from the place of backups, drops leases and waiting deliveries, lets the feed of changes begin again, and " +
    "has the next start erase again what was erased or purged since. No file is removed until `svc serve doctor` has compared " +
    "the file store. Stop all platforms of the database first.",
  arguments: [],
  options: {
    from: {
      ...textOption("place", `The place of scheduled backups. ${placeWords}`),
      required: true,
    },
    "backup-key-file": backupKeyOptions["backup-key-file"],
    ...dataPlaceOptions,
  },
  answer: ({ z }) =>
    z.looseObject({
      dataDir: z.string(),
      name: z.string(),
      erasures: z.int(),
      dropped: z.strictObject({ leases: z.int(), deliveries: z.int(), mails: z.int() }),
      lost: z.int(),
      /** Places that name lost files, at most 100. */
      lostFiles: lostFilesSchema(z),
      /** Removed files that the versions of the bucket gave back. */
      fromVersions: z.int(),
    }),
  examples: [
    "svc serve settle --from ./backups --backup-key-file ./backup.key --data-dir ./restored-place",
  ],
  trials: [],
  async run({ options }, context) {
    const { output, signal } = context;
    const places = await dataPlacesOf(context, options);
    const { objects } = await openBackupObjects(context, options.from, options, { makes: false });
    const { settleOther } = await import("#server/platform/backup/sets/settle-other.ts");
    const { settled: dropped, ...found } = await settleOther({ ...places, objects, signal });
    const { name, erasures, fromVersions } = found;
    const dataDir = places.dataDirectory;
    await output.data({ dataDir, ...found, dropped }, () =>
      output.fields([
        ["data directory", dataDir],
        ["newest backup", name],
        ["erasures", `${erasures}, which the next start applies`],
        ["dropped", droppedWords(dropped)],
        ["files from versions", fromVersions === 0 ? undefined : String(fromVersions)],
      ]),
    );
    await noteLostFiles(context, found);
  },
});
