import { command } from "../../kit/command.ts";
import { workspaceOption } from "../../kit/workspaces/options.ts";
import { datasetLines, describingOptions, descriptionOf } from "./fields.ts";

export default command({
  path: "geo datasets create",
  summary: "Create a dataset without features",
  arguments: [{ name: "dataset", description: "Name in paths, such as city-parks" }],
  options: { ...describingOptions, workspace: workspaceOption },
  calls: ["geoDatasets.create"],
  answer: "geoDatasets.create",
  examples: ["svc geo datasets create city-parks --title 'City parks' --licence CC-BY-4.0"],
  trials: ["lakes-{unique} --title Lakes"],
  async run(input, context) {
    const { output, signal } = context;
    const { options } = input;
    const client = await context.client({ workspace: options.workspace });
    const body = { dataset: input.arguments.dataset, ...descriptionOf(options) };
    const dataset = await client.geoDatasets.create({ body, signal });
    await output.data(dataset, () => datasetLines(output, dataset));
  },
});
