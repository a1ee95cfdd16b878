import { command } from "../kit/command.ts";
import { tenantOption } from "../kit/workspaces/options.ts";
import { pageQuery, printPage } from "../kit/output/pages.ts";
import { modelText } from "./lines.ts";

export default command({
  path: "classifier list",
  summary: "List the classifiers of a workspace and their models",
  arguments: [],
  options: {
    "tenant-id": tenantOption,
  },
  pages: { of: "Classifiers" },
  calls: ["classifiers.list"],
  answer: "classifiers.list",
  examples: ["svc classifier list"],
  async run({ options }, context) {
    const { output, signal } = context;
    const client = await context.client({ workspace: options["tenant-id"] });
    const list = await client.classifiers.list({ query: pageQuery(options), signal });
    await printPage(output, list, {
      options,
      none: "No classifiers",
      columns: [
        { heading: "key", value: ({ key }) => key, whole: true },
        { heading: "status", value: ({ status }) => status },
        { heading: "labels", value: ({ labels }) => labels?.length, align: "right" },
        { heading: "examples", value: ({ training }) => training?.examples, align: "right" },
        { heading: "training", value: ({ training }) => training?.status },
        { heading: "model", value: modelText },
        { heading: "name", value: ({ displayName }) => displayName, optional: true },
      ],
    });
  },
});
