import { command } from "../../kit/command.ts";

export default command({
  path: "workspace templates list",
  summary: "List the starter templates of new workspaces",
  rows: ["items"],
  arguments: [],
  options: {},
  calls: ["starterTemplates.list"],
  answer: "starterTemplates.list",
  examples: ["svc workspace templates list"],
  async run(_input, context) {
    const { output, signal } = context;
    const client = await context.clientWithoutWorkspace();
    const answer = await client.starterTemplates.list({ signal });
    await output.data(answer, () =>
      output.table(answer.items, [
        { heading: "key", value: ({ key }) => key, whole: true },
        { heading: "name", value: ({ displayName }) => displayName, optional: true },
        { heading: "object types", value: ({ objectTypes }) => objectTypes.join(", ") },
      ]),
    );
  },
});
