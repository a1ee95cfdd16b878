import { command } from "../kit/command.ts";

/** `svc blocks schema`: always JSON, which editors read (spec 4.7). */
export default command({
  path: "blocks schema",
  summary: "Print the JSON Schema of a file of building blocks",
  description: "The schema is JSON in every format: save it for an editor.",
  arguments: [],
  options: {},
  answer: ({ z }) => z.looseObject({ $schema: z.string() }),
  examples: ["svc blocks schema"],
  async run(_input, { output }) {
    const { blockFileSchema } = await import("../kit/blocks/block.ts");
    const schema = blockFileSchema();
    await output.data(schema, () => output.json(schema, 2));
  },
});
