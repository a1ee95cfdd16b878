import { exitCodes } from "#contract/errors.ts";
import { shown } from "#cli/shown.ts";
import { counted } from "#lib/text/counted.ts";
import { command } from "../../kit/command.ts";
import { backupKeyOptions, openBackupObjects, placeWords } from "../backup-place.ts";
import { dataPlaceOptions, dataPlacesOf } from "../data-places.ts";

export default command({
  path: "serve backup take",
  summary: "Take a backup into a place of scheduled backups now",
  description:
    "Stores the database, and the files that no earlier backup of the place has, encrypted with " +
    "the keys of backups, while the platform runs. `svc serve --backup-to` does it by a schedule " +
    "and checks each backup.",
  arguments: [],
  options: {
    to: { type: "string", required: true, placeholder: "place", description: placeWords },
    ...backupKeyOptions,
    ...dataPlaceOptions,
  },
  answer: ({ z }) =>
    z.looseObject({
      name: z.string(),
      createdAt: z.string(),
      engine: z.string(),
      files: z.looseObject({ count: z.int(), added: z.int(), lost: z.int() }),
    }),
  examples: [
    "svc serve backup take --data-dir ./data --to ./backups --backup-key-file ./backup.key",
  ],
  trials: ["--data-dir data --to backups-{unique} --backup-key-file backup-{unique}.key"],
  async run(input, context) {
    const { output, signal } = context;
    const places = await dataPlacesOf(context, input.options);
    const opened = await openBackupObjects(context, input.options.to, input.options, {
      makes: true,
    });
    const { takeSet } = await import("#server/platform/backup/sets/take-set.ts");
    const { overStorage } = await import("#server/platform/storage-location.ts");
    const { name, createdAt, engine, files } = await overStorage(places, () =>
      takeSet({
        ...places,
        ...opened,
        hasLog: true,
        signal,
        onFile: (count) => void output.progress(`${count} files`),
      }),
    );
    await output.data({ name, createdAt, engine, files }, () =>
      output.fields([
        ["backup", name],
        ["database", engine],
        ["files", `${files.count} (${files.bytes} bytes), ${files.added} of them new`],
      ]),
    );
    if (files.lost === 0) return exitCodes.done;
    const lost = counted(files.lost, "file");
    await output.note(shown`The platform lacks ${lost}. Run \`svc serve doctor\``);
    return exitCodes.failed;
  },
});
