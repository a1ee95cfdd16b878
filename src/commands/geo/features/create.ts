import { textOption } from "#cli/command.ts";
import { given } from "#lib/given.ts";
import { command } from "../../kit/command.ts";
import { readObject } from "../../kit/input/data.ts";
import { workspaceOption } from "../../kit/workspaces/options.ts";
import { featureLines, partOptions } from "./fields.ts";

export default command({
  path: "geo features create",
  summary: "Create a feature of a dataset",
  arguments: [{ name: "dataset", description: "Name of the dataset; `svc geo datasets list`" }],
  options: {
    id: textOption("id", "ID of the feature (default: a new one)"),
    ...partOptions,
    workspace: workspaceOption,
  },
  calls: ["geoFeatures.create"],
  answer: "geoFeatures.create",
  trials: [
    {
      words: 'ponds-{unique} --geometry {"type":"Point","coordinates":[1,2]}',
      after: ["geo datasets create ponds-{unique}"],
    },
  ],
  async run(input, context) {
    const { output, signal } = context;
    const { options } = input;
    const geometry = (await readObject(context, options.geometry, "--geometry")) ?? null;
    const properties = await readObject(context, options.properties, "--properties");
    const body = { geometry, ...given({ id: options.id, properties }) };
    const client = await context.client({ workspace: options.workspace });
    const params = { dataset: input.arguments.dataset };
    const feature = await client.geoFeatures.create({ params, body, signal });
    await output.data(feature, () => featureLines(output, feature));
  },
});
