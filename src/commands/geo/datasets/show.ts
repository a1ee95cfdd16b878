import { command } from "../../kit/command.ts";
import { workspaceOption } from "../../kit/workspaces/options.ts";
import { datasetArgument, datasetLines } from "./fields.ts";

export default command({
  path: "geo datasets show",
  summary: "Show a dataset with its source and licence",
  arguments: [datasetArgument],
  options: { workspace: workspaceOption },
  calls: ["geoDatasets.get"],
  answer: "geoDatasets.get",
  trials: [{ words: "parks-{unique}", after: ["geo datasets create parks-{unique}"] }],
  async run(input, context) {
    const { output, signal } = context;
    const client = await context.client({ workspace: input.options.workspace });
    const params = { dataset: input.arguments.dataset };
    const dataset = await client.geoDatasets.get({ params, signal });
    await output.data(dataset, () => datasetLines(output, dataset));
  },
});
