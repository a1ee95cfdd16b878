import { catalogError } from "#contract/errors.ts";
import { defaultStarterTemplate } from "#contract/workspace-values.ts";
import { errorFromResponse } from "#client/failures.ts";
import type { CommandContext } from "../context.ts";
import { createChild } from "../workspace/create.ts";
import { findWorkspace } from "../workspace/find.ts";

export interface AppPlace {
  readonly company: string;
  readonly parent: string | undefined;
  readonly child: string | undefined;
  readonly createsChild: boolean;
}

export interface BoundApp {
  readonly key: string;
  readonly workspace: string;
  readonly runtimeWorkspace: string | undefined;
  readonly created: boolean;
}

/** Creates the app under the company workspace, or binds the one with the same key. */
export async function bindApp(
  context: CommandContext,
  name: string,
  place: AppPlace,
): Promise<BoundApp> {
  const { signal } = context;
  const client = await context.clientWithoutWorkspace();
  const company = await findWorkspace(context, place.company);
  const runtime = await childOf(context, place);
  const response = await client.request("POST", `/v4/platform/tenants/${company.id}/apps`, {
    tenantId: company.id,
    signal,
    body: JSON.stringify({
      key: name,
      displayName: name,
      source: "eai-cli",
      ...(runtime === undefined ? {} : { runtimeTenantId: runtime }),
    }),
  });
  const facts = { key: name, workspace: company.slug ?? company.id, runtimeWorkspace: runtime };
  if (response.ok || response.status === 409) {
    await response.body?.cancel();
    return { ...facts, created: response.ok };
  }
  throw await errorFromResponse(response, { subject: `the app ${name}` });
}

/** The workspace in which the app runs, created where asked. */
async function childOf(
  context: CommandContext,
  { company, parent = company, child, createsChild }: AppPlace,
): Promise<string | undefined> {
  if (child === undefined) return undefined;
  if (!createsChild) return (await findWorkspace(context, child)).id;
  if (!/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(child)) {
    throw catalogError("E305", { details: `--child-tenant "${child}" is not a slug` });
  }
  const client = await context.clientWithoutWorkspace();
  const made = await createChild(context, client, parent, {
    displayName: child,
    slug: child,
    usecase: "generic",
    starterTemplate: defaultStarterTemplate,
  });
  return made.id;
}
