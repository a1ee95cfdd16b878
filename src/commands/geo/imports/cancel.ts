import { command } from "../../kit/command.ts";
import { workspaceOption } from "../../kit/workspaces/options.ts";
import { datasetArgument } from "../datasets/fields.ts";
import { importLines, jobArgument } from "./outcome.ts";

export default command({
  path: "geo imports cancel",
  summary: "Stop a queued or running import; the dataset keeps its former features",
  arguments: [datasetArgument, jobArgument],
  options: { workspace: workspaceOption },
  calls: ["geoDatasets.cancelImport"],
  answer: "geoDatasets.cancelImport",
  examples: ["svc geo imports cancel <dataset> <job>"],
  trials: [{ words: "parks {job}", at: ["other", "stub"] }],
  async run({ arguments: { dataset, job: jobId }, options }, context) {
    const { output, signal } = context;
    const client = await context.client({ workspace: options.workspace });
    const state = await client.geoDatasets.cancelImport({ params: { dataset, jobId }, signal });
    await output.data(state, () => importLines(output, state));
  },
});
