import { command } from "../command.ts";

/** `svc blocks schema`: always JSON, which editors read (spec 4.7). */
export const blocksSchemaCommand = command({
  path: "blocks schema",
  summary: "Print the JSON Schema of a file of building blocks",
  description: "The schema is JSON in every format: save it for an editor.",
  arguments: [],
  options: {},
  examples: ["svc blocks schema"],
  async run(_input, { output }) {
    const { blockFileSchema } = await import("./block.ts");
    const schema = blockFileSchema();
    await output.data(schema, () => output.json(schema, 2));
  },
});
