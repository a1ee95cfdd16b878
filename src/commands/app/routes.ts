import { inputError } from "#cli/errors.ts";
import { shown } from "#cli/shown.ts";
import { command } from "../kit/command.ts";
import { tenantOption } from "../kit/workspaces/options.ts";
import { appKeyOf } from "../kit/apps/binding.ts";

export default command({
  path: "app routes",
  summary: "List the routes that an app declares",
  description:
    "The binding of the app (`vertical-product-config`) declares them in `config.routes`: each " +
    "names an Object Type, an action of one, or a workflow. `svc app call` calls one.",
  rows: ["routes"],
  arguments: [{ name: "key", description: "Key of the app" }],
  options: {
    "tenant-id": tenantOption,
    openapi: {
      type: "boolean",
      description: "Write the routes as an OpenAPI 3.1 document; JSON has it as openapi",
    },
  },
  calls: ["verticals.show"],
  answer: "verticals.show",
  examples: ["svc app routes planning-portal", "svc app routes planning-portal --openapi"],
  trials: [
    {
      words: "shop-{unique}",
      after: [
        "app create Shop-{unique} --status active",
        "resources create vertical-product-config --data " +
          '{"vertical_key":"shop-{unique}","workflow_key":"shop-{unique}","config":' +
          '{"routes":[{"method":"GET","path":"trees","type":"street-tree"}]}}',
      ],
      isAddition: true,
    },
  ],
  async run(input, context) {
    const product = appKeyOf(input.arguments.key);
    const { output, signal } = context;
    const client = await context.client({ workspace: input.options["tenant-id"] });
    const { openapi } = input.options;
    const query = openapi ? { openapi } : {};
    const answer = await client.verticals.show({ params: { product }, query, signal });
    if (openapi && answer.openapi === undefined) {
      throw inputError("This platform has no OpenAPI document of an app's routes");
    }
    if (openapi && !output.isJson) return output.page(output.json(answer.openapi, 2));
    const routes = answer.routes ?? [];
    await output.data(answer, () =>
      output.table(routes, [
        { heading: "method", value: ({ method }) => method, whole: true },
        { heading: "path", value: ({ path }) => path, whole: true },
        { heading: "uses", value: (each) => each.workflow ?? each.action ?? each.type },
        { heading: "summary", value: ({ summary }) => summary, optional: true },
      ]),
    );
    if (output.isJson) return;
    for (const { pointer, detail } of answer.faults ?? []) {
      await output.note(output.tone("warning", `${pointer} ${detail}`));
    }
    if (routes.length === 0) await output.note(shown`The app declares no routes`);
  },
});
