import { textOption } from "#cli/command.ts";
import { missingField } from "#cli/errors.ts";
import { documentLifecycles } from "#contract/documents/lifecycles.ts";
import { given } from "#lib/given.ts";
import { appKeyOf } from "../kit/apps/binding.ts";
import { command } from "../kit/command.ts";
import { tenantOption } from "../kit/workspaces/options.ts";
import { putRecord } from "../kit/workflows/records.ts";

export default command({
  path: "classifier target",
  summary: "Bind a classifier to a workflow of an app",
  description:
    "Documents of the workflow are then classified by it. Without --document-lifecycle an " +
    "existing binding keeps its lifecycle; documents keep the one of their upload.",
  arguments: [{ name: "classifier-key", description: "Key of the classifier" }],
  options: {
    app: textOption("key", "App of the workflow (required)"),
    workflow: textOption("key", "Workflow of the documents (required)"),
    "document-lifecycle": {
      ...textOption("lifecycle", "Lifecycle of later uploads"),
      values: documentLifecycles,
    },
    "tenant-id": tenantOption,
  },
  calls: ["classifiers.get", "resources.list", "resources.create", "resources.update"],
  answer: ({ z }) =>
    z.looseObject({ classifier: z.string(), app: z.string(), workflow: z.string() }),
  examples: [
    "svc classifier target council-documents --app planning-portal --workflow planning-assistant",
  ],
  trials: [
    {
      words: "wood-{unique} --app desk --workflow a",
      after: ["classifier put wood-{unique} --file classifier.json"],
      isAddition: true,
    },
  ],
  async run(input, context) {
    const { options } = input;
    const { output, signal } = context;
    const key = input.arguments["classifier-key"];
    if (options.app === undefined) throw missingField("--app");
    if (options.workflow === undefined) throw missingField("--workflow");
    const app = appKeyOf(options.app);
    const workflow = appKeyOf(options.workflow);
    const lifecycle = options["document-lifecycle"];
    const client = await context.client({ workspace: options["tenant-id"] });
    // A binding to a classifier that does not exist would leave documents without a kind.
    const { status } = await client.classifiers.get({ params: { classifierKey: key }, signal });
    const written = await putRecord(
      client,
      {
        type: "vertical-product-config",
        identity: { vertical_key: app, workflow_key: workflow },
        initial: { status: "active" },
        data: {
          config: {
            classifierKey: key,
            ...given({ documentLifecycle: lifecycle }),
          },
        },
      },
      signal,
    );
    const answer = { classifier: key, status, app, workflow, lifecycle, binding: written };
    await output.data(answer, () =>
      output.fields([
        ["classifier", key],
        ["status", status],
        ["app", app],
        ["workflow", workflow],
        ["lifecycle", lifecycle ?? "unchanged"],
        ["binding", `${written.action} (${written.id})`],
      ]),
    );
  },
});
