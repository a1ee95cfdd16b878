import { textOption } from "#cli/command.ts";
import { missingField } from "#cli/errors.ts";
import type { Client } from "#client/surface.ts";
import { configurationTypes } from "#contract/access/configuration-types.ts";
import { catalogError } from "#contract/errors.ts";
import { documentLifecycles } from "#contract/documents/lifecycles.ts";
import { given } from "#lib/given.ts";
import { appKeyOf, verticalOption } from "../kit/apps/binding.ts";
import { findEnrollment } from "../kit/apps/enrollments.ts";
import { command } from "../kit/command.ts";
import { tenantOption } from "../kit/workspaces/options.ts";
import { putRecord, storedRecord } from "../kit/workflows/records.ts";

const { binding: bindingType, workflow: workflowType } = configurationTypes;

/** Throws E202 unless the app and the workflow exist, or are bound to each other already. */
async function requireTarget(
  client: Client,
  identity: { readonly vertical_key: string; readonly workflow_key: string },
  signal: AbortSignal,
): Promise<void> {
  if ((await storedRecord(client, { type: bindingType, identity }, signal)) !== undefined) return;
  const { vertical_key, workflow_key } = identity;
  await findEnrollment(client, vertical_key, signal);
  const wanted = { type: workflowType, identity: { workflow_key } };
  if ((await storedRecord(client, wanted, signal)) !== undefined) return;
  const hint = `\`svc workflow provision ${workflow_key} --app ${vertical_key}\` creates one`;
  throw catalogError("E202", { resource: `Workflow "${workflow_key}"` }, { hint });
}

export default command({
  path: "classifier target",
  summary: "Bind a classifier to a workflow of an app",
  description:
    "Documents of the workflow are then classified by it. Without --document-lifecycle an " +
    "existing binding keeps its lifecycle; documents keep the one of their upload.",
  arguments: [{ name: "classifier-key", description: "Key of the classifier" }],
  options: {
    app: textOption("key", "App of the workflow (required)"),
    vertical: verticalOption,
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
      words: "wood-{unique} --app wood-{unique} --workflow wood-{unique}",
      after: [
        "app create Wood-{unique}",
        "workflow provision wood-{unique} --app wood-{unique}",
        "classifier put wood-{unique} --file classifier.json",
      ],
      isAddition: true,
    },
  ],
  async run(input, context) {
    const { options } = input;
    const { output, signal } = context;
    const key = input.arguments["classifier-key"];
    const named = options.app ?? options.vertical;
    if (named === undefined) throw missingField("--app");
    if (options.workflow === undefined) throw missingField("--workflow");
    const app = appKeyOf(named);
    const workflow = appKeyOf(options.workflow);
    const lifecycle = options["document-lifecycle"];
    const client = await context.client({ workspace: options["tenant-id"] });
    // A binding to a classifier that does not exist would leave documents without a kind.
    const { status } = await client.classifiers.get({ params: { classifierKey: key }, signal });
    const identity = { vertical_key: app, workflow_key: workflow };
    await requireTarget(client, identity, signal);
    const written = await putRecord(
      client,
      {
        type: bindingType,
        identity,
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
