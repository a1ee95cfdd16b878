import { shown } from "#cli/shown.ts";
import { command } from "../kit/command.ts";
import { tenantOption } from "../kit/workspaces/options.ts";
import { wholeOutputPath } from "../kit/input/files.ts";
import { requireProject } from "../kit/input/project.ts";

const defaultOutput = "src/eai.config/object-types.generated.ts";

/** `svc types pull`: writes all Object Types of a workspace to a file (spec 4.7 rule 4, part 8). */
export default command({
  path: "types pull",
  summary: "Fetch a workspace's Object Types into a TypeScript file",
  description:
    "Reads all pages twice, and replaces the file only when both scans are equal. " +
    "`object-types.ts` is reserved for the project's own definitions.",
  arguments: [],
  options: {
    "tenant-id": tenantOption,
    output: {
      type: "string",
      placeholder: "path",
      default: defaultOutput,
      description: "File to write",
    },
  },
  calls: ["objectTypes.list"],
  answer: ({ z }) =>
    z.strictObject({ output: z.string(), tenantId: z.string(), objectTypes: z.int() }),
  examples: ["svc types pull"],
  trials: ["--output {folder}/pulled.ts"],
  async run(input, context) {
    const { output, signal } = context;
    const [{ exportObjectTypes }, { checkOutputPath, writeObjectTypesFile }] = await Promise.all([
      import("#client/records/object-types-export.ts"),
      import("#local/object-types/file.ts"),
    ]);
    if (input.options.output === defaultOutput) await requireProject(context);
    const path = wholeOutputPath(context, input.options.output);
    await checkOutputPath(path);
    const client = await context.client({ workspace: input.options["tenant-id"] });
    const types = await exportObjectTypes(client, { signal });
    await writeObjectTypesFile(path, types);
    const partial = types.flatMap((type) => (type.partial === true ? [type.slug] : []));
    if (partial.length > 0) {
      await output.note(
        shown`The file lacks fields that you may not read, of ${partial.join(", ")}: do not publish it`,
      );
    }
    const answer = { output: path, tenantId: client.tenantId, objectTypes: types.length };
    await output.data(answer, () => shown`${types.length} Object Types in ${input.options.output}`);
  },
});
