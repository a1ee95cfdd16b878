import { textOption } from "#cli/command.ts";
import { shown } from "#cli/shown.ts";
import { command } from "../kit/command.ts";
import { requiredTenant } from "./manifest.ts";
import { operationLines } from "./operation.ts";

export default command({
  path: "content-understanding status",
  summary: "Show an operation, or the newest operations",
  arguments: [],
  options: {
    "operation-id": textOption("id", "Operation to show"),
    "tenant-id": requiredTenant,
  },
  calls: ["contentUnderstanding.operations", "contentUnderstanding.operation"],
  answer: ["contentUnderstanding.operation", "contentUnderstanding.operations"],
  trials: [
    "--tenant-id {workspace}",
    { words: "--operation-id {id} --tenant-id {workspace}", at: ["stub"] },
  ],
  async run(input, context) {
    const { output, signal } = context;
    const id = input.options["operation-id"];
    const client = await context.client({ workspace: input.options["tenant-id"] });
    if (id !== undefined) {
      const params = { operationId: id };
      const found = await client.contentUnderstanding.operation({ params, signal });
      await output.data(found, () => operationLines(context, found));
      return;
    }
    const list = await client.contentUnderstanding.operations({ query: { limit: 20 }, signal });
    await output.data(list, () =>
      output.table(list.items, [
        { heading: "operation", value: ({ operationId }) => operationId, whole: true },
        { heading: "status", value: ({ status }) => status, whole: true },
        { heading: "actions", value: ({ actions }) => actions?.length, align: "right" },
        { heading: "applied", value: ({ createdAt }) => createdAt, optional: true },
      ]),
    );
    if (list.items.length === 0 && !output.isJson) await output.note(shown`No operations`);
  },
});
