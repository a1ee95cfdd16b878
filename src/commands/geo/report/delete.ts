import { shown } from "#cli/shown.ts";
import { command } from "../../kit/command.ts";
import { workspaceOption } from "../../kit/workspaces/options.ts";
import { reportArgument } from "./fields.ts";

export default command({
  path: "geo report delete",
  summary: "Delete a report; its records and features stay",
  arguments: [reportArgument],
  options: { workspace: workspaceOption },
  calls: ["geoReports.remove"],
  answer: ({ z }) => z.strictObject({ status: z.literal("deleted"), report: z.string() }),
  trials: [
    {
      words: "old-{unique} --force",
      after: ["geo report create old-{unique} --dataset wards --degrees 1"],
    },
  ],
  confirms: ({ arguments: { report } }) => `Delete the report ${report}?`,
  async run(input, context) {
    const { output, signal } = context;
    const { report } = input.arguments;
    const client = await context.client({ workspace: input.options.workspace });
    await client.geoReports.remove({ params: { report }, signal });
    await output.data({ status: "deleted", report }, () => shown`Deleted the report ${report}`);
  },
});
