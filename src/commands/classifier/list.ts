import { shown } from "#cli/shown.ts";
import { maximumPage, maximumPageLimit } from "#contract/limits.ts";
import { command, tenantOption } from "../command.ts";
import { modelText } from "./lines.ts";

export const classifierListCommand = command({
  path: "classifier list",
  summary: "List the classifiers of a workspace and their models",
  arguments: [],
  options: {
    "tenant-id": tenantOption,
    page: { type: "number", minimum: 1, maximum: maximumPage, default: 1, description: "Page" },
    limit: {
      type: "number",
      minimum: 1,
      maximum: maximumPageLimit,
      default: 20,
      description: "Classifiers per page",
    },
  },
  routes: ["GET /v4/data/documents/classifiers"],
  examples: ["svc classifier list"],
  async run(input, context) {
    const { output, signal } = context;
    const { page, limit, "tenant-id": workspace } = input.options;
    const client = await context.client({ workspace });
    const list = await client.classifiers.list({ query: { page, limit }, signal });
    await output.data(list, () =>
      output.table(list.items, [
        { heading: "key", value: ({ key }) => key, whole: true },
        { heading: "status", value: ({ status }) => status },
        { heading: "labels", value: ({ labels }) => labels?.length, align: "right" },
        { heading: "examples", value: ({ training }) => training?.examples, align: "right" },
        { heading: "training", value: ({ training }) => training?.status },
        { heading: "model", value: modelText },
        { heading: "name", value: ({ displayName }) => displayName, optional: true },
      ]),
    );
    if (list.items.length === 0 && !output.isJson) await output.note(shown`No classifiers`);
  },
});
