import { exitCodes } from "#contract/errors.ts";
import { counted } from "#lib/counted.ts";
import { command } from "../command.ts";
import { dataPlaceOptions, dataPlacesOf, postgresqlWords } from "./data-places.ts";
import { wholeOutputPath } from "../local-file.ts";

/** `svc serve backup`: a data directory as one folder, while its platform runs. */
export const serveBackupCommand = command({
  path: "serve backup",
  summary: "Back up a data directory while its platform runs",
  description:
    "Makes a folder with one consistent snapshot of the database and the files that it names. It " +
    "holds the platform's keys: keep it as safe as the data directory. With PostgreSQL, pg_dump " +
    "is the tool for the database: run it first, then this command for the files.",
  arguments: [],
  options: {
    output: {
      type: "string",
      required: true,
      placeholder: "folder",
      description: "The folder to make, outside of the data directory",
    },
    ...dataPlaceOptions,
  },
  examples: ["svc serve backup --data-dir ./data --output ./backup-2026-11-21"],
  async run(input, context) {
    const { output, signal } = context;
    const { takeBackup } = await import("#server/platform/backup/take.ts");
    const report = await takeBackup({
      ...dataPlacesOf(context, input.options),
      output: wholeOutputPath(context, input.options.output),
      signal,
      onFile: (files) => void output.progress(`${files} files`),
    });
    const { database, files, createdAt } = report.manifest;
    const complete = report.lostCount === 0;
    const isIncluded = database.engine === "sqlite";
    const answer = {
      output: report.output,
      createdAt,
      complete,
      database: { ...database, included: isIncluded },
      files: { count: files.count, bytes: files.bytes },
      lostCount: report.lostCount,
      lost: report.lost,
    };
    await output.data(answer, () =>
      output.fields([
        ["backup", report.output],
        ["database", isIncluded ? `${database.size} bytes` : "not included"],
        ["files", `${files.count} (${files.bytes} bytes)`],
      ]),
    );
    if (!isIncluded) await output.note(postgresqlWords);
    if (complete) return exitCodes.done;
    await output.note(
      `Missing or damaged, and not in the backup: ${counted(report.lostCount, "file")}. ` +
        "Run `svc serve doctor`",
    );
    return exitCodes.failed;
  },
});
