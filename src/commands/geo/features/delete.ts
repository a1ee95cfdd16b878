import { shown } from "#cli/shown.ts";
import { command } from "../../kit/command.ts";
import { workspaceOption } from "../../kit/workspaces/options.ts";
import { featureArguments } from "./fields.ts";

export default command({
  path: "geo features delete",
  summary: "Delete a feature",
  arguments: featureArguments,
  options: { workspace: workspaceOption },
  calls: ["geoFeatures.remove"],
  answer: ({ z }) => z.strictObject({ status: z.literal("deleted"), id: z.string() }),
  trials: [
    {
      words: "capes-{unique} one --force",
      after: ["geo datasets create capes-{unique}", "geo features create capes-{unique} --id one"],
    },
  ],
  confirms: ({ arguments: { feature } }) => `Delete the feature ${feature}?`,
  async run(input, context) {
    const { output, signal } = context;
    const { feature: id } = input.arguments;
    const client = await context.client({ workspace: input.options.workspace });
    await client.geoFeatures.remove({ params: input.arguments, signal });
    await output.data({ status: "deleted", id }, () => shown`Deleted the feature ${id}`);
  },
});
