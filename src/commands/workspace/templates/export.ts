import { shown } from "#cli/shown.ts";
import { textOption } from "#cli/command.ts";
import { writeFileAtomically } from "#lib/files/atomic-write.ts";
import { command } from "../../kit/command.ts";
import { wholeOutputPath } from "../../kit/input/files.ts";
import { written } from "../../kit/output/written.ts";

export default command({
  path: "workspace templates export",
  summary: "Print or save the Object Types of a starter template",
  description:
    "The definitions are those of `src/eai.config/object-types.json`, which `svc types seed` " +
    "reads.",
  rows: [],
  arguments: [{ name: "key", description: "Key of the template" }],
  options: { output: textOption("path", "File to write (default: stdout)") },
  calls: ["starterTemplates.read"],
  answer: ({ z }) =>
    z.union([
      z.array(z.looseObject({ slug: z.string() })),
      z.strictObject({ key: z.string(), output: z.string(), objectTypes: z.int() }),
    ]),
  examples: ["svc workspace templates export blank-vertical-template"],
  trials: ["blank-vertical-template"],
  async run(input, context) {
    const { output, signal } = context;
    const { output: file } = input.options;
    const path = file === undefined ? undefined : wholeOutputPath(context, file);
    const client = await context.clientWithoutWorkspace();
    const { key } = input.arguments;
    const { objectTypes } = await client.starterTemplates.read({ params: { key }, signal });
    if (path === undefined) {
      await output.data(objectTypes, () => output.json(objectTypes, 2));
      return;
    }
    const text = `${JSON.stringify(objectTypes, null, 2)}\n`;
    await written(path, () => writeFileAtomically(path, text, { mode: 0o666 }));
    const answer = { key, output: path, objectTypes: objectTypes.length };
    await output.data(answer, () => shown`${objectTypes.length} Object Types in ${path}`);
  },
});
