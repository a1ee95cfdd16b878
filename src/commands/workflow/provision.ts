import { textOption } from "#cli/command.ts";
import { missingField } from "#cli/errors.ts";
import { shown } from "#cli/shown.ts";
import type { Client } from "#client/surface.ts";
import { CatalogError } from "#contract/errors.ts";
import { documentLifecycles } from "#contract/documents/lifecycles.ts";
import { usecases } from "#contract/workspaces/workspace-values.ts";
import type { JsonObject } from "#contract/values.ts";
import { projectEnvFile, verticalOption } from "../kit/apps/binding.ts";
import { findEnrollment } from "../kit/apps/enrollments.ts";
import { command } from "../kit/command.ts";
import { tenantOption } from "../kit/workspaces/options.ts";
import type { CommandContext } from "../kit/context.ts";
import { openStore, storeKey } from "../kit/env/store.ts";
import { requireProject } from "../kit/input/project.ts";
import { putRecord, storedRecord, type WrittenRecord } from "../kit/workflows/records.ts";
import { defaultProfile, defaultUsecase, placeOf, recordsOf, requireKebabCase } from "./plan.ts";
import {
  givenStages,
  requirePairs,
  requireVariable,
  stageVariables,
  standardStages,
  storedStages,
  withPrompts,
  type Stage,
} from "./stages.ts";

/** The places of the workflow's variables, checked before the first request. */
async function targetsOf(
  context: CommandContext,
  options: {
    readonly "write-local-env": boolean;
    readonly "write-app-config": boolean;
    readonly env: string;
    readonly label?: string;
  },
) {
  const { checkLabel } = await import("#local/env/store.ts");
  checkLabel(options.env, "--env");
  if (options.label !== undefined) checkLabel(options.label, "--label");
  const envFile = options["write-local-env"] ? await projectEnvFile(context) : undefined;
  if (!options["write-app-config"]) return { envFile, store: undefined };
  const project = await requireProject(context);
  const [store, key] = await Promise.all([openStore(context), storeKey(context, project)]);
  return { envFile, store: { store, key, label: options.label ?? options.env } };
}

/** Returns the places that have the variables now. */
async function writeVariables(
  { envFile, store }: Awaited<ReturnType<typeof targetsOf>>,
  variables: Readonly<Record<string, string>>,
): Promise<string[]> {
  if (envFile !== undefined) {
    const { setEnvVariables } = await import("#local/env/file.ts");
    await setEnvVariables(envFile, variables);
  }
  const settings = Object.entries(variables);
  await store?.store.write(
    store.key,
    store.label,
    settings.map(([name, value]) => ({ name, value, isSecret: false })),
  );
  return [envFile, store?.store.place].filter((place) => place !== undefined);
}

/** The data of the stored workflow, of which a repeated call keeps what it does not name. */
async function keptData(client: Client, key: string, signal: AbortSignal): Promise<JsonObject> {
  const identity = { workflow_key: key };
  const stored = await storedRecord(client, { type: "shared-workflow-config", identity }, signal);
  return stored?.data ?? {};
}

/** Returns whether the workspace lacks the app; also false where the platform does not say. */
async function lacksApp(client: Client, app: string, signal: AbortSignal): Promise<boolean> {
  try {
    await findEnrollment(client, app, signal);
    return false;
  } catch (error) {
    if (error instanceof CatalogError) return error.code === "E202";
    throw error;
  }
}

/** Options that ask for a change of the AI profile, which other workflows may use too. */
const aiOptions = ["bind-ai-runtime", "ai-provider", "ai-model", "ai-profile-key"];

const optionsOfProvision = {
  app: textOption("key", "App that the workflow is bound to (required)"),
  vertical: verticalOption,
  workspace: { ...tenantOption, aliases: ["tenant", "tenant-id"] },
  "display-name": textOption("name", "Name of the workflow (default: its key)"),
  usecase: {
    type: "string",
    values: usecases,
    default: defaultUsecase,
    description: "Purpose; a stored workflow keeps its own",
  },
  "scope-key": textOption("key", "Scope (default: the stored one, else <usecase>:<workflow-key>)"),
  stage: {
    ...textOption(
      "id",
      "Stage, as id or id:Display Name; repeatable (default: the stored ones, else chat)",
    ),
    repeatable: true,
  },
  "stage-env": {
    ...textOption("KEY=stage", "Variable with the id of a stage; repeatable"),
    repeatable: true,
  },
  "stage-prompt": {
    ...textOption("stage=prompt", "Prompt of a stage; repeatable"),
    repeatable: true,
  },
  "workflow-env-key": {
    ...textOption("KEY", "Variable with the key of the workflow"),
    default: "SVC_WORKFLOW_KEY",
  },
  "bind-ai-runtime": { type: "boolean", description: "Let the workflow use the AI profile" },
  "ai-provider": textOption("name", "Provider of the AI profile"),
  "ai-model": textOption("name", "Model of the AI profile"),
  "ai-profile-key": { ...textOption("key", "Key of the AI profile"), default: defaultProfile },
  "document-lifecycle": {
    ...textOption(
      "lifecycle",
      "Lifecycle of uploads (default: the stored one, else business-document-v1, which is not indexed)",
    ),
    values: documentLifecycles,
  },
  status: {
    type: "string",
    values: ["active", "draft"],
    default: "active",
    description: "Status of the workflow",
  },
  "write-local-env": { type: "boolean", description: "Write the variables to `.env.local`" },
  "write-app-config": {
    type: "boolean",
    description: "Write the variables to the configuration store",
  },
  env: { ...textOption("name", "Label in the configuration store"), default: "dev" },
  label: textOption("label", "The same, and stronger than --env"),
} as const;

export default command({
  path: "workflow provision",
  summary: "Write the records of a workflow and bind it to an app",
  description:
    "Writes an AI profile, a chat assistant, the workflow and its binding. A record that exists " +
    "is changed only where it differs, so that the call can be repeated. A stored AI profile is " +
    "changed by --bind-ai-runtime and the --ai options only.",
  rows: ["records"],
  arguments: [{ name: "workflow-key", description: "Key of the workflow" }],
  options: optionsOfProvision,
  calls: ["resources.list", "resources.create", "resources.update"],
  answer: ({ z }) =>
    z.strictObject({
      workflow_key: z.string(),
      app: z.string(),
      records: z.array(
        z.strictObject({
          type: z.string(),
          id: z.string(),
          action: z.string(),
          version: z.int().optional(),
        }),
      ),
      variables: z.record(z.string(), z.string()),
      places: z.array(z.string()),
    }),
  examples: [
    `svc workflow provision intake --app planning-portal --stage "chat:Chat" --stage review`,
  ],
  trials: [
    "advice-{unique} --app desk --bind-ai-runtime --stage a --stage b",
    "advice-{unique} --app desk --document-lifecycle planning-assist-v1",
    {
      words: "advice-{unique} --vertical desk --status draft",
      after: ["workflow provision advice-{unique} --app desk"],
    },
  ],
  async run(input, context) {
    const { options } = input;
    const { output, signal } = context;
    const key = requireKebabCase("<workflow-key>", input.arguments["workflow-key"].trim());
    const named = options.app ?? options.vertical;
    if (named === undefined) throw missingField("--app");
    const app = requireKebabCase("--app", named.trim());
    const { "ai-provider": provider, "ai-model": model, "bind-ai-runtime": bindsAi } = options;
    const profileKey = requireKebabCase("--ai-profile-key", options["ai-profile-key"]);
    const changesAi = aiOptions.some((name) => input.given.has(name));
    requireVariable("--workflow-env-key", options["workflow-env-key"]);
    const given = givenStages(options.stage);
    const staged = (of: readonly Stage[]) => {
      const stages = withPrompts(of, options["stage-prompt"]);
      return { stages, variables: stageVariables(options["stage-env"], stages) };
    };
    // These checks need no stored stages, so they come before the first request.
    if (given.length > 0) staged(given);
    else requirePairs(options["stage-prompt"], options["stage-env"]);
    const targets = await targetsOf(context, options);
    const client = await context.client({ workspace: options.workspace });
    const usecase = input.given.has("usecase") ? options.usecase : undefined;
    const kept = await keptData(client, key, signal);
    const { stages, variables: stageIds } = staged(
      given.length > 0 ? given : (storedStages(kept["stages"]) ?? standardStages),
    );
    const variables = {
      SVC_APP_KEY: app,
      SVC_VERTICAL_KEY: app,
      [options["workflow-env-key"]]: key,
      ...stageIds,
    };
    const isAppMissing = await lacksApp(client, app, signal);
    const written: WrittenRecord[] = [];
    for (const record of recordsOf({
      key,
      app,
      name: options["display-name"],
      ...placeOf(key, { usecase, scope: options["scope-key"] }, kept),
      status: options.status,
      lifecycle: options["document-lifecycle"],
      stages,
      profileKey,
      provider,
      model,
      bindsAi,
      changesAi,
    })) {
      written.push(await putRecord(client, record, signal));
    }
    const places = await writeVariables(targets, variables);
    const answer = { workflow_key: key, app, records: written, variables, places };
    await output.data(answer, () => [
      ...output.table(written, [
        { heading: "record", value: ({ type }) => type, whole: true },
        { heading: "action", value: ({ action }) => action, whole: true },
        { heading: "id", value: ({ id }) => id, optional: true },
      ]),
      ...output.fields(places.map((place) => ["written to", place] as const)),
    ]);
    if (isAppMissing) {
      await output.note(
        shown`App "${app}" is not enrolled in this workspace: \`svc app create\` enrolls one`,
      );
    }
  },
});
