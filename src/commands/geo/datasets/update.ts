import { missingField } from "#cli/errors.ts";
import { command } from "../../kit/command.ts";
import { workspaceOption } from "../../kit/workspaces/options.ts";
import { datasetArgument, datasetLines, describingOptions, descriptionOf } from "./fields.ts";

export default command({
  path: "geo datasets update",
  summary: "Change the title, source or licence of a dataset",
  arguments: [datasetArgument],
  options: { ...describingOptions, workspace: workspaceOption },
  calls: ["geoDatasets.update"],
  answer: "geoDatasets.update",
  trials: [{ words: "woods-{unique} --title W", after: ["geo datasets create woods-{unique}"] }],
  async run(input, context) {
    const { output, signal } = context;
    const { options } = input;
    const body = descriptionOf(options);
    if (Object.keys(body).length === 0) throw missingField("--title", "or another change");
    const client = await context.client({ workspace: options.workspace });
    const params = { dataset: input.arguments.dataset };
    const dataset = await client.geoDatasets.update({ params, body, signal });
    await output.data(dataset, () => datasetLines(output, dataset));
  },
});
