import { command } from "../command.ts";
import { dataPlaceOptions, dataPlacesOf, postgresqlWords } from "./data-places.ts";

/** `svc serve restore`: a backup into an empty data directory, each part held to its digest. */
export const serveRestoreCommand = command({
  path: "serve restore",
  summary: "Restore a backup into an empty data directory",
  description:
    "Checks every part of the backup by its digest. When it fails, nothing stays in the directory.",
  arguments: [],
  options: {
    input: {
      type: "string",
      required: true,
      placeholder: "folder",
      description: "The folder that svc serve backup made",
    },
    "data-dir": dataPlaceOptions["data-dir"],
    "files-url": {
      ...dataPlaceOptions["files-url"],
      description: "An S3-compatible store to put the files in, as for svc serve",
    },
  },
  examples: ["svc serve restore --input ./backup-2026-11-21 --data-dir ./restored"],
  async run(input, context) {
    const { output, signal } = context;
    const { restoreBackup } = await import("#server/platform/backup/restore.ts");
    const report = await restoreBackup({
      ...dataPlacesOf(context, input.options),
      input: context.resolvePath(input.options.input),
      signal,
      onFile: (files) => void output.progress(`${files} files`),
    });
    const { database, files, createdAt } = report.manifest;
    const isIncluded = database.engine === "sqlite";
    const answer = {
      dataDir: report.dataDirectory,
      createdAt,
      database: { ...database, included: isIncluded },
      files: { count: files.count, bytes: files.bytes },
    };
    await output.data(answer, () =>
      output.fields([
        ["data directory", report.dataDirectory],
        ["backup of", createdAt],
        ["database", isIncluded ? `${database.size} bytes` : "not included"],
        ["files", `${files.count} (${files.bytes} bytes)`],
      ]),
    );
    if (!isIncluded) await output.note(postgresqlWords);
  },
});
