import { command } from "../../kit/command.ts";
import { workspaceOption } from "../../kit/workspaces/options.ts";
import { featureArguments, featureLines } from "./fields.ts";

export default command({
  path: "geo features get",
  summary: "Show a feature",
  arguments: featureArguments,
  options: { workspace: workspaceOption },
  calls: ["geoFeatures.get"],
  answer: "geoFeatures.get",
  trials: [
    {
      words: "docks-{unique} one",
      after: [
        "geo datasets create docks-{unique}",
        'geo features create docks-{unique} --id one --geometry {"type":"Point","coordinates":[1,2]}',
      ],
    },
  ],
  async run(input, context) {
    const { output, signal } = context;
    const client = await context.client({ workspace: input.options.workspace });
    const feature = await client.geoFeatures.get({ params: input.arguments, signal });
    await output.data(feature, () => featureLines(output, feature));
  },
});
