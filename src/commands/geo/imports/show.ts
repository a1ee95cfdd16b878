import { command } from "../../kit/command.ts";
import { workspaceOption } from "../../kit/workspaces/options.ts";
import { datasetArgument } from "../datasets/fields.ts";
import { endOfImport, exitCodeOf, importLines, jobArgument, waitOptions } from "./outcome.ts";

export default command({
  path: "geo imports show",
  summary: "Show an import with the reasons of refused features, or wait for its end",
  description:
    "With --wait the exit code is 0 when all features are stored, 1 when some are not, and 8 " +
    "when the wait ended. Nothing is uploaded again.",
  waits: true,
  arguments: [datasetArgument, jobArgument],
  options: { ...waitOptions, workspace: workspaceOption },
  calls: ["geoDatasets.importJob"],
  answer: "geoDatasets.importJob",
  examples: ["svc geo imports show <dataset> <job> --wait"],
  trials: [{ words: "parks {job}", at: ["other", "stub"] }],
  async run({ arguments: { dataset, job: jobId }, options }, context) {
    const { output, signal } = context;
    const client = await context.client({ workspace: options.workspace });
    let state = await client.geoDatasets.importJob({ params: { dataset, jobId }, signal });
    if (options.wait) {
      state = await endOfImport(context, client, state, options.timeout * 1000);
    }
    await output.data(state, () => importLines(output, state));
    return await exitCodeOf(output, state, options.wait);
  },
});
