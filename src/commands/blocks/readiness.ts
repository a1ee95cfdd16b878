import { command } from "../kit/command.ts";
import { readinessStates } from "../kit/blocks/values.ts";

export default command({
  path: "blocks readiness",
  summary: "Show how ready each building block is, and why",
  rows: ["blocks"],
  arguments: [
    { name: "block-id", description: "Only this block; all blocks without it", optional: true },
  ],
  options: {},
  answer: ({ z }) =>
    z.strictObject({
      counts: z.record(z.string(), z.int()),
      blocks: z.array(z.looseObject({ id: z.string(), readiness: z.string() })),
    }),
  examples: ["svc blocks readiness", "svc blocks readiness api-documents"],
  async run(input, context) {
    const { output } = context;
    const { builtInBlocks, customBlocks, findBlock } = await import("../kit/blocks/catalog.ts");
    const id = input.arguments["block-id"];
    const blocks =
      id === undefined
        ? [...(await builtInBlocks(context)), ...(await customBlocks(context))]
        : [await findBlock(context, id)];
    const rows = blocks.map((block) => ({
      id: block.id,
      readiness: block.readiness,
      reasons: block.reasons,
    }));
    const counts = Object.fromEntries(
      readinessStates.map((state) => [
        state,
        rows.filter(({ readiness }) => readiness === state).length,
      ]),
    );
    await output.data({ counts, blocks: rows }, () =>
      output.table(rows, [
        { heading: "id", value: (row) => row.id, whole: true },
        { heading: "readiness", value: (row) => row.readiness, whole: true },
        { heading: "reasons", value: (row) => row.reasons.join("; ") },
      ]),
    );
  },
});
