import { missingField } from "#cli/errors.ts";
import { given } from "#lib/given.ts";
import { command } from "../../kit/command.ts";
import { readObject } from "../../kit/input/data.ts";
import { workspaceOption } from "../../kit/workspaces/options.ts";
import { featureArguments, featureLines, partOptions } from "./fields.ts";

export default command({
  path: "geo features update",
  summary: "Change the geometry or properties of a feature",
  description: "Properties are merged; null removes one.",
  arguments: featureArguments,
  options: {
    ...partOptions,
    version: {
      type: "number",
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: "Fail if this is not the feature's current version",
    },
    workspace: workspaceOption,
  },
  calls: ["geoFeatures.update"],
  answer: "geoFeatures.update",
  trials: [
    {
      words: 'roads-{unique} one --properties {"name":"Mill"}',
      after: ["geo datasets create roads-{unique}", "geo features create roads-{unique} --id one"],
    },
  ],
  async run(input, context) {
    const { output, signal } = context;
    const { options } = input;
    const geometry = await readObject(context, options.geometry, "--geometry");
    const properties = await readObject(context, options.properties, "--properties");
    const changes = given({ geometry, properties });
    if (Object.keys(changes).length === 0) throw missingField("--properties", "or --geometry");
    const body = { ...changes, ...given({ version: options.version }) };
    const client = await context.client({ workspace: options.workspace });
    const feature = await client.geoFeatures.update({ params: input.arguments, body, signal });
    await output.data(feature, () => featureLines(output, feature));
  },
});
