import { shown } from "#cli/shown.ts";
import { command } from "../../kit/command.ts";
import { workspaceOption } from "../../kit/workspaces/options.ts";
import { datasetArgument } from "./fields.ts";

export default command({
  path: "geo datasets delete",
  summary: "Delete a dataset with its features",
  arguments: [datasetArgument],
  options: { workspace: workspaceOption },
  calls: ["geoDatasets.remove"],
  answer: ({ z }) => z.strictObject({ status: z.literal("deleted"), dataset: z.string() }),
  trials: [{ words: "hills-{unique} --force", after: ["geo datasets create hills-{unique}"] }],
  confirms: ({ arguments: { dataset } }) => `Delete the dataset ${dataset} with its features?`,
  async run(input, context) {
    const { output, signal } = context;
    const { dataset } = input.arguments;
    const client = await context.client({ workspace: input.options.workspace });
    await client.geoDatasets.remove({ params: { dataset }, signal });
    await output.data({ status: "deleted", dataset }, () => shown`Deleted the dataset ${dataset}`);
  },
});
