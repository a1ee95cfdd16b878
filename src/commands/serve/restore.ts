import { Shown, shown } from "#cli/shown.ts";
import { textOption } from "#cli/command.ts";
import { command } from "../kit/command.ts";
import { backupContent, backupFacts } from "./backup-content.ts";
import { dataPlaceOptions, dataPlacesOf } from "./data-places.ts";

export default command({
  path: "serve restore",
  summary: "Restore a backup into an empty data directory",
  description:
    "Checks the digest of every part of the backup. A failed restore leaves no files. The " +
    "platform then starts with the key file of the data directory that was backed up. Before it " +
    "serves, it erases again what was erased or purged since the backup, by the list in the backup.",
  arguments: [],
  options: {
    input: { ...textOption("folder", "The folder that svc serve backup created"), required: true },
    "data-dir": dataPlaceOptions["data-dir"],
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
      ...backupFacts(z),
    }),
  examples: ["svc serve restore --input ./backup-2026-11-21 --data-dir ./restored"],
  trials: [],
  async run(input, context) {
    const { output, signal } = context;
    const { restoreBackup } = await import("#server/platform/backup/restore.ts");
    const places = await dataPlacesOf(context, input.options);
    const { "erasures-from": from } = input.options;
    const report = await restoreBackup({
      ...places,
      input: context.resolvePath(input.options.input),
      erasuresFrom: from === undefined ? undefined : context.resolvePath(from),
      signal,
      onFile: (files) => void output.progress(`${files} files`),
    });
    const { dataDirectory: dataDir, manifest, erasures } = report;
    const { createdAt } = manifest;
    const { facts, fields, note } = backupContent(manifest);
    await output.data({ dataDir, createdAt, erasures, ...facts }, () =>
      output.fields([["data directory", dataDir], ["backup of", createdAt], ...fields]),
    );
    if (note !== undefined) await output.note(Shown.block(note));
    const { keyFileOf } = await import("#server/platform/key-file.ts");
    if (manifest.keyId !== undefined && places.keyFile === undefined && !output.isJson) {
      const place = `${keyFileOf(places)} (mode 0600)`;
      await output.note(
        shown`Before the start, copy the key file with the id ${manifest.keyId} to ${place}`,
      );
    }
  },
});
