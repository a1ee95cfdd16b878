import type { Client, JsonObject, Membership } from "#client/index.ts";
import { textIn } from "#client/enrollments.ts";
import { pointer } from "#contract/problems.ts";
import { kebabCase } from "#lib/kebab-case.ts";
import type { FormField } from "../kit/forms/form-field.ts";
import { initialData } from "../kit/forms/form-model.ts";
import { useForms } from "../shell/forms/forms.ts";
import { useOverlays } from "../shell/overlays/overlays.ts";
import { useCommandLines } from "../shell/platform/use-command-lines.ts";
import { usePlatform } from "../shell/platform/use-platform.ts";
import { useWorkspaces } from "../shell/platform/use-workspaces.ts";
import { useNotices } from "../shell/notices.ts";
import type { App } from "./use-apps.ts";
import { appName, workspaceWords } from "./words.ts";

const keyPattern = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const maximumReason = 2_000;

const line: Omit<FormField, "name" | "label"> = {
  kind: "line",
  choices: [],
  isRequired: false,
  hint: "text",
  target: undefined,
  fallback: undefined,
};

function enrollmentFields(
  children: readonly Membership[],
  ownSlug: string | undefined,
): FormField[] {
  const here = { text: `${ownSlug ?? "this workspace"} (here)`, value: "" };
  return [
    { ...line, name: "displayName", label: "name", isRequired: true },
    {
      ...line,
      name: "key",
      label: "key",
      isRequired: true,
      hint: "kebab-case: permit-desk",
      proposal: (data) => kebabCase(textIn(data, "displayName") ?? ""),
    },
    {
      ...line,
      name: "runtimeTenantId",
      label: "runs in",
      kind: "choice",
      choices: [here, ...children.map(({ id, slug }) => ({ text: slug, value: id }))],
      isRequired: true,
      hint: "one of its choices, by ← → or its first letters",
      fallback: "",
    },
    { ...line, name: "template", label: "starter template", hint: "its Object Types, or nothing" },
    { ...line, name: "appUrl", label: "address", hint: "https://…" },
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
    ...(template === undefined ? {} : { template }),
    ...(appUrl === undefined ? {} : { appUrl }),
    ...(runtimeTenantId === undefined ? {} : { runtimeTenantId }),
  };
}

/** Enrolls an app by a form; `onCreated` gets the id of its record. */
export function useEnrolling(onCreated: (id: string | undefined) => void): () => void {
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

/** Begins the provisioning of an app, or reads a job that was begun elsewhere. */
export function useProvisioningActions(
  follow: (key: string, jobId: string) => void,
  onChanged: () => void,
) {
  const { client, tenantId } = usePlatform();
  const { value: memberships } = useWorkspaces();
  const overlays = useOverlays();
  const { say, sayFailure } = useNotices();
  const commands = useCommandLines();

  const run = (work: (open: Client) => Promise<{ readonly jobId: string }>, { key }: App): void => {
    if (client === undefined) return;
    work(client).then(({ jobId }) => {
      follow(key, jobId);
      say("done", `the provisioning of ${key} is job ${jobId}`);
      onChanged();
    }, sayFailure);
  };

  const provision = (app: App): void => {
    const { key, runtimeTenantId } = app;
    const where =
      runtimeTenantId === undefined
        ? "this workspace"
        : workspaceWords(runtimeTenantId, memberships);
    overlays.confirm({
      title: `Provision ${appName(app)}`,
      effects: [
        `Object Types, storage and the binding of ${key} in ${where}`,
        "a job that was interrupted goes on; what exists already stays",
      ],
      command: commands.inWorkspace(["app", "provision", key]),
      onConfirm: () =>
        run(
          (open) =>
            open.apps.provision({
              tenantId,
              params: { key },
              body: { targetTenantId: runtimeTenantId ?? tenantId },
            }),
          app,
        ),
    });
  };

  const readJob = (app: App): void =>
    overlays.ask({
      title: `A provisioning job of ${appName(app)}`,
      words: "The id of the job, as it was shown when it began",
      initial: "",
      placeholder: "id",
      onAnswer: (jobId) =>
        run((open) => open.apps.job({ tenantId, params: { key: app.key, jobId }, query: {} }), app),
    });

  return { provision, readJob };
}

/** Asks the operators for a workflow, also for one that is not configured yet. */
export function useWorkflowRequest(onRequested: (key: string) => void) {
  const { client, tenantId = "" } = usePlatform();
  const overlays = useOverlays();
  const { say, sayFailure } = useNotices();

  const request = (key: string): void =>
    overlays.ask({
      title: `Request the workflow ${key}`,
      words: "The purpose, for those who decide; it may stay empty",
      initial: "",
      isOptional: true,
      placeholder: "why this workspace needs it",
      problemOf: (text) =>
        text.length <= maximumReason ? undefined : `at most ${maximumReason} characters`,
      onAnswer: (reason) => {
        const purpose = reason === "" ? {} : { reason };
        const body = { tenant_id: tenantId, workflow_key: key, display_name: key, ...purpose };
        client?.workflows.request({ body }).then(({ status }) => {
          say("done", `requested ${key}: ${status ?? "accepted"}`);
          onRequested(key);
        }, sayFailure);
      },
    });

  const requestOther = (): void =>
    overlays.ask({
      title: "Request another workflow",
      words: "The key of the workflow",
      initial: "",
      placeholder: "planning-assistant",
      problemOf: (text) => (keyPattern.test(text) ? undefined : "a key is in kebab-case"),
      onAnswer: (key) => request(key),
    });

  return { request, requestOther };
}
