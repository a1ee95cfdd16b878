import { shown } from "#cli/shown.ts";
import { command } from "../command.ts";

export const blocksDescribeCommand = command({
  path: "blocks describe",
  summary: "Show a building block with its routes, commands and reasons",
  arguments: [{ name: "block-id", description: "For example api-documents" }],
  options: {},
  examples: ["svc blocks describe api-documents"],
  async run(input, context) {
    const { output } = context;
    const { findBlock } = await import("./catalog.ts");
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
