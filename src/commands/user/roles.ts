import { command } from "../kit/command.ts";
import { workspaceOption } from "../kit/workspaces/options.ts";

export default command({
  path: "user roles",
  summary: "List the roles that members can have",
  rows: ["items"],
  arguments: [],
  options: { workspace: workspaceOption },
  calls: ["members.roleDefinitions"],
  answer: "members.roleDefinitions",
  async run(input, context) {
    const { output, signal } = context;
    const client = await context.client({ workspace: input.options.workspace });
    const list = await client.members.roleDefinitions({ signal });
    await output.data(list, () =>
      output.table(list.items, [
        { heading: "key", value: ({ key }) => key, whole: true },
        { heading: "name", value: ({ displayName }) => displayName, optional: true },
        {
          heading: "permissions",
          value: ({ permissions }) => permissions?.length,
          align: "right",
        },
        { heading: "description", value: ({ description }) => description ?? "", optional: true },
        { heading: "id", value: ({ id }) => id, whole: true },
      ]),
    );
  },
});
