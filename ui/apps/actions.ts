import type { Membership } from "#client/index.ts";
import { given } from "#lib/given.ts";
import type { Action } from "../kit/places/action.ts";
import type { App } from "./use-apps.ts";
import { appName, workspaceWords } from "./words.ts";

interface Provisioned {
  readonly app: App;
  readonly memberships: readonly Membership[] | undefined;
}

interface Begun {
  readonly jobId: string;
}

const jobWords = ({ app }: { readonly app: App }, { jobId }: Begun) =>
  `the provisioning of ${app.key} is job ${jobId}`;

/** Begins the provisioning of an app. */
export const provisioning: Action<Provisioned, Begun> = {
  question: {
    title: ({ app }) => `Provision ${appName(app)}`,
    effects: ({ app: { key, runtimeTenantId }, memberships }) => {
      const where =
        runtimeTenantId === undefined
          ? "this workspace"
          : workspaceWords(runtimeTenantId, memberships);
      return [
        `Object Types, storage and the binding of ${key} in ${where}`,
        "a job that was interrupted goes on; what exists already stays",
      ];
    },
    command: ({ app }) => [["app", "provision", app.key]],
  },
  run: (client, { app: { key, runtimeTenantId } }, tenantId) => {
    const body = { targetTenantId: runtimeTenantId ?? tenantId };
    return client.apps.provision({ tenantId, params: { key }, body });
  },
  done: jobWords,
};

/** Reads a provisioning job that was begun elsewhere. */
export const jobReading: Action<{ readonly app: App; readonly jobId: string }, Begun> = {
  run: (client, { app, jobId }, tenantId) =>
    client.apps.job({ tenantId, params: { key: app.key, jobId }, query: {} }),
  done: jobWords,
};

/** Asks the operators for a workflow. */
export const workflowRequest: Action<
  { readonly key: string; readonly reason: string },
  { readonly status?: string | undefined }
> = {
  run: (client, { key, reason }, tenantId = "") => {
    const purpose = given({ reason: reason === "" ? undefined : reason });
    const body = { tenant_id: tenantId, workflow_key: key, display_name: key, ...purpose };
    return client.workflows.request({ body });
  },
  done: ({ key }, { status }) => `requested ${key}: ${status ?? "accepted"}`,
};
