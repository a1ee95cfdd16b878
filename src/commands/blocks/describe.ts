import { shown } from "#cli/shown.ts";
import { command } from "../kit/command.ts";
import { blockSchema } from "../kit/blocks/values.ts";

export default command({
  path: "blocks describe",
  summary: "Show a building block with its routes, commands and reasons",
  arguments: [{ name: "block-id", description: "For example api-documents" }],
  options: {},
  answer: ({ z }) => blockSchema(z),
  examples: ["svc blocks describe api-documents"],
  trials: ["api-health"],
  async run(input, context) {
    const { output } = context;
    const { findBlock } = await import("../kit/blocks/catalog.ts");
    const block = await findBlock(context, input.arguments["block-id"]);
    await output.data(block, ({ routes, commands, objectTypes, reasons, ...facts }) => {
      const lists = { routes, commands, "Object Types": objectTypes, reasons };
      return [
        ...output.fields(Object.entries(facts)),
        ...Object.entries(lists).flatMap(([name, words]) =>
          words.length === 0
            ? []
            : [shown``, output.tone("strong", name), ...words.map((one) => shown`  ${one}`)],
        ),
      ];
    });
  },
});
