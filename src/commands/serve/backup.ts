import { Shown, shown } from "#cli/shown.ts";
import { exitCodes } from "#contract/errors.ts";
import { counted } from "#lib/text/counted.ts";
import { command } from "../kit/command.ts";
import { wholeOutputPath } from "../kit/input/files.ts";
import { backupContent, backupFacts } from "./backup-content.ts";
import { dataPlaceOptions, dataPlacesOf } from "./data-places.ts";

export default command({
  path: "serve backup",
  summary: "Back up a data directory while its platform runs",
  description:
    "Creates a folder with a consistent snapshot of the database and the files that it names. " +
    "The key file is not in it: keep a copy of that file elsewhere. With PostgreSQL, run pg_dump " +
    "for the database first, then this command for the files.",
  arguments: [],
  options: {
    output: {
      type: "string",
      required: true,
      placeholder: "folder",
      description: "The folder to create, outside of the data directory",
    },
    ...dataPlaceOptions,
  },
  answer: ({ z }) =>
    z.looseObject({
      output: z.string(),
      createdAt: z.string(),
      complete: z.boolean(),
      ...backupFacts(z),
      lostCount: z.int(),
      lost: z.array(
        z.strictObject({ workspaceId: z.string(), sha256: z.string(), reason: z.string() }),
      ),
    }),
  examples: ["svc serve backup --data-dir ./data --output ./backup-2026-11-21"],
  trials: ["--data-dir data --output backup-{unique}"],
  async run(input, context) {
    const { output, signal } = context;
    const { keyFileOf } = await import("#server/platform/key-file.ts");
    const places = await dataPlacesOf(context, input.options);
    const { takeBackup } = await import("#server/platform/backup/take.ts");
    const report = await takeBackup({
      ...places,
      output: wholeOutputPath(context, input.options.output),
      signal,
      onFile: (files) => void output.progress(`${files} files`),
    });
    const { lost, lostCount, manifest } = report;
    const { createdAt } = manifest;
    const complete = lostCount === 0;
    const { facts, fields, note } = backupContent(manifest);
    const keyFile = keyFileOf(places);
    await output.data(
      { output: report.output, createdAt, complete, ...facts, keyFile, lostCount, lost },
      () =>
        output.fields([
          ["backup", report.output],
          ...fields,
          ["key file", `${keyFile} (not included: keep a copy elsewhere)`],
        ]),
    );
    if (note !== undefined) await output.note(Shown.block(note));
    if (complete) return exitCodes.done;
    const files = counted(lostCount, "file");
    await output.note(
      shown`Missing or damaged, and not in the backup: ${files}. Run \`svc serve doctor\``,
    );
    return exitCodes.failed;
  },
});
