import { shown } from "#cli/shown.ts";
import { textOption } from "#cli/command.ts";
import { counted } from "#lib/text/counted.ts";
import { exitCodes } from "#contract/errors.ts";
import { command } from "../kit/command.ts";
import { filePath } from "../kit/input/data.ts";
import { findFile } from "../kit/input/files.ts";

export default command({
  path: "blocks validate",
  summary: "Check a file of building blocks, or the catalog itself",
  description:
    "Without --file: the project's `src/eai.config/blocks.json`, otherwise the catalog of this " +
    "version. Exits with 1 when a fault is found.",
  rows: ["faults"],
  arguments: [],
  options: {
    file: textOption("path", "A JSON file with a list of blocks"),
    strict: {
      type: "boolean",
      description: "Also refuse unknown members, and routes and commands that do not exist",
    },
  },
  answer: ({ z }) =>
    z.strictObject({
      valid: z.boolean(),
      strict: z.boolean(),
      source: z.string(),
      blocks: z.int(),
      faults: z.array(z.strictObject({ pointer: z.string(), detail: z.string() })),
    }),
  examples: ["svc blocks validate", "svc blocks validate --file blocks.json --strict"],
  trials: ["--file blocks.json"],
  async run(input, context) {
    const { output } = context;
    const { strict } = input.options;
    const { builtInBlocks, checkBlockFile, customPath, unknownParts } =
      await import("../kit/blocks/catalog.ts");
    const named = input.options.file;
    if (named !== undefined) await findFile(context, filePath(named));
    const path =
      named === undefined ? await customPath(context) : context.resolvePath(filePath(named));
    const { blocks, faults } =
      path === undefined
        ? { blocks: await builtInBlocks(context), faults: [] }
        : await checkBlockFile(path, strict);
    const all = [
      ...faults,
      // Commands such as `publicapi` name families of routes.
      ...(strict && path !== undefined ? await unknownParts(context, blocks) : []),
    ];
    const valid = all.length === 0;
    const source = path ?? "the catalog of this version";
    const answer = { valid, strict, source, blocks: blocks.length, faults: all };
    await output.data(answer, ({ faults: found }) =>
      found.map(({ pointer, detail }) => shown`${pointer} ${detail}`),
    );
    await output.note(
      valid
        ? shown`${source}: ${counted(blocks.length, "block")}, valid`
        : shown`${source}: ${counted(all.length, "fault")}`,
    );
    return valid ? exitCodes.done : exitCodes.failed;
  },
});
