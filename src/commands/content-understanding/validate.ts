import { shown } from "#cli/shown.ts";
import { exitCodes } from "#contract/errors.ts";
import { counted } from "#lib/text/counted.ts";
import { pointer } from "#lib/json/pointer.ts";
import { command } from "../kit/command.ts";
import { filePath, readJsonObject } from "../kit/input/data.ts";
import { manifestOption } from "./manifest.ts";

export default command({
  path: "content-understanding validate",
  summary: "Check a file for content understanding, without a platform",
  description: "Exits with 1 when a fault is found.",
  arguments: [],
  options: { file: manifestOption },
  answer: ({ z }) =>
    z.strictObject({
      valid: z.boolean(),
      file: z.string(),
      faults: z.array(z.looseObject({ pointer: z.string(), detail: z.string() })),
    }),
  trials: ["--file understanding.json"],
  async run(input, context) {
    const { output } = context;
    const file = filePath(input.options.file);
    const given = await readJsonObject(context, { file });
    const [{ understandingManifest }, { schemaFaults }] = await Promise.all([
      import("#contract/documents/content-understanding.ts"),
      import("#contract/schema-faults.ts"),
    ]);
    const result = understandingManifest.safeParse(given);
    const faults = result.success
      ? []
      : schemaFaults(result.error).map(({ path, detail }) => ({
          pointer: pointer(...path),
          detail,
        }));
    const valid = faults.length === 0;
    await output.data({ valid, file, faults }, () =>
      faults.map((fault) => shown`${fault.pointer} ${fault.detail}`),
    );
    await output.note(
      valid ? shown`${file}: valid` : shown`${file}: ${counted(faults.length, "fault")}`,
    );
    return valid ? exitCodes.done : exitCodes.failed;
  },
});
