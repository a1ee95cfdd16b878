import { command } from "../kit/command.ts";

export default command({
  path: "content-understanding schema",
  summary: "Print the JSON Schema of a file for content understanding",
  description: "The schema is JSON in every format: save it for an editor.",
  arguments: [],
  options: {},
  answer: ({ z }) => z.looseObject({ $schema: z.string() }),
  examples: ["svc content-understanding schema"],
  async run(_input, { output }) {
    const z = await import("zod");
    const { understandingManifest } = await import("#contract/documents/content-understanding.ts");
    const schema = z.toJSONSchema(understandingManifest, { io: "input", target: "draft-2020-12" });
    await output.data(schema, () => output.json(schema, 2));
  },
});
