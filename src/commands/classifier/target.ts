import { textOption } from "#cli/command.ts";
import { missingField } from "#cli/errors.ts";
import { documentLifecycles } from "#contract/documents/lifecycles.ts";
import { appKeyOf } from "../app/select.ts";
import { command, tenantOption } from "../command.ts";
import { putRecord } from "../workflow/records.ts";

export const classifierTargetCommand = command({
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
  routes: [
    "GET /v4/data/documents/classifiers/{classifierKey}",
    "GET /v4/data/resources/{tenantId}/{objectType}",
    "POST /v4/data/resources/{tenantId}/{objectType}",
    "PUT /v4/data/resources/{tenantId}/{objectType}/{id}",
  ],
  examples: [
    "svc classifier target council-documents --app planning-portal --workflow planning-assistant",
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
            ...(lifecycle === undefined ? {} : { documentLifecycle: lifecycle }),
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
