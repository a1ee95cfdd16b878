import type { JsonObject, Membership } from "#client/index.ts";
import { textIn } from "#client/enrollments.ts";
import { pointer } from "#lib/json/pointer.ts";
import type { WorkflowReadiness } from "#contract/apps/workflows.ts";
import { given } from "#lib/given.ts";
import { kebabCase } from "#lib/text/kebab-case.ts";
import { formField, type FormField } from "../kit/forms/form-field.ts";
import { initialData } from "../kit/forms/form-model.ts";
import { useAct } from "../kit/places/action.ts";
import type { PlaceNow } from "../kit/places/list-place.tsx";
import { useForms } from "../shell/forms/forms.ts";
import { useOverlays } from "../shell/overlays/overlays.ts";
import { usePlatform, usePlatformLink } from "../shell/platform/use-platform.ts";
import { useWorkspaces } from "../shell/platform/use-workspaces.ts";
import { useCommandLines } from "../shell/use-copy.ts";
import { jobReading, provisioning, workflowRequest } from "./actions.ts";
import { workflowKey, type App, type AppTable, type WorkflowTable } from "./use-apps.ts";
import { appName } from "./words.ts";

const keyPattern = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const maximumReason = 2_000;

function enrollmentFields(
  children: readonly Membership[],
  ownSlug: string | undefined,
): FormField[] {
  const here = { text: `${ownSlug ?? "this workspace"} (here)`, value: "" };
  return [
    formField("displayName", "name", { isRequired: true }),
    formField("key", "key", {
      isRequired: true,
      hint: "kebab-case: permit-desk",
      proposal: (data) => kebabCase(textIn(data, "displayName") ?? ""),
    }),
    formField("runtimeTenantId", "runs in", {
      kind: "choice",
      choices: [here, ...children.map(({ id, slug }) => ({ text: slug, value: id }))],
      isRequired: true,
      hint: "one of its choices, by ← → or its first letters",
      fallback: "",
    }),
    formField("template", "starter template", { hint: "its Object Types, or nothing" }),
    formField("appUrl", "address", { hint: "https://…" }),
  ];
}

function faultsOf(data: JsonObject) {
  const key = textIn(data, "key") ?? "";
  const address = textIn(data, "appUrl");
  const isWeb = address === undefined || /^https?:$/.test(URL.parse(address)?.protocol ?? "");
  return [
    ...(keyPattern.test(key) ? [] : [{ pointer: pointer("key"), detail: "must be in kebab-case" }]),
    ...(isWeb ? [] : [{ pointer: pointer("appUrl"), detail: "must be an http or https address" }]),
  ];
}

function creationOf(data: JsonObject) {
  const template = textIn(data, "template");
  const appUrl = textIn(data, "appUrl");
  const runtimeTenantId = textIn(data, "runtimeTenantId");
  return {
    key: textIn(data, "key") ?? "",
    displayName: textIn(data, "displayName") ?? "",
    source: "svc",
    status: "pending",
    ...given({ template, appUrl, runtimeTenantId }),
  };
}

/** Enrolls an app by a form; `onCreated` gets the id of its record. */
function useEnrolling(onCreated: (id: string | undefined) => void): () => void {
  const { client, tenantId, session } = usePlatform();
  const { value: memberships = [] } = useWorkspaces();
  const forms = useForms();
  const commands = useCommandLines();
  return () => {
    if (client === undefined) return;
    const children = memberships.filter(({ parentId }) => parentId === tenantId);
    const fields = enrollmentFields(children, session.workspace?.slug);
    forms.open({
      title: "Enroll an app",
      subject: { fields, data: initialData(fields), check: faultsOf },
      save: async (data, { idempotencyKey }) => {
        const body = creationOf(data);
        const { id } = await client.apps.create({ tenantId, body, idempotencyKey });
        onCreated(id);
        return `enrolled ${body.key}; provisioning it is the next step`;
      },
      command: (data) => {
        const body = creationOf(data);
        return commands.inWorkspace(["app", "create", body.displayName], {
          key: body.key,
          "child-tenant": body.runtimeTenantId,
          template: body.template,
          "app-url": body.appUrl,
          source: body.source,
        });
      },
    });
  };
}

export function useAppHandlers({ table, opened }: PlaceNow<App, AppTable>) {
  const { list, jobs } = table;
  const { value: memberships } = useWorkspaces();
  const overlays = useOverlays();
  const act = useAct();

  const followed = (app: App) => (job?: { readonly jobId: string }) => {
    if (job !== undefined) jobs.follow(app.key, job.jobId);
    list.refresh();
  };

  const readJob = (app: App): void =>
    overlays.ask({
      title: `A provisioning job of ${appName(app)}`,
      words: "The id of the job, as it was shown when it began",
      initial: "",
      placeholder: "id",
      onAnswer: (jobId) => act(jobReading, { app, jobId }, followed(app)),
    });

  return {
    enrollApp: useEnrolling((id) => (id === undefined ? list.refresh() : list.reveal(id))),
    provisionApp: opened.act((app) => act(provisioning, { app, memberships }, followed(app))),
    readProvisioning: opened.act(readJob),
  };
}

/** Asks the operators for a workflow, also for one that is not configured yet. */
export function useWorkflowHandlers({ table, opened }: PlaceNow<WorkflowReadiness, WorkflowTable>) {
  const { refresh } = usePlatformLink();
  const overlays = useOverlays();
  const act = useAct();

  const follow = (key: string): void => {
    table.watch(key);
    table.list.reveal(key);
    refresh();
  };

  const request = (key: string): void =>
    overlays.ask({
      title: `Request the workflow ${key}`,
      words: "The purpose, for those who decide; it may stay empty",
      initial: "",
      isOptional: true,
      placeholder: "why this workspace needs it",
      problemOf: (text) =>
        text.length <= maximumReason ? undefined : `at most ${maximumReason} characters`,
      onAnswer: (reason) =>
        act(workflowRequest, { key, reason }, (answer) => answer && follow(key)),
    });

  const requestOther = (): void =>
    overlays.ask({
      title: "Request another workflow",
      words: "The key of the workflow",
      initial: "",
      placeholder: "planning-assistant",
      problemOf: (text) => (keyPattern.test(text) ? undefined : "a key is in kebab-case"),
      onAnswer: request,
    });

  return { requestWorkflow: opened.act((row) => request(workflowKey(row))), requestOther };
}
