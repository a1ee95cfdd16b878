import { textOption } from "#cli/command.ts";
import { usageError } from "#cli/errors.ts";
import { shown } from "#cli/shown.ts";
import { enrollmentType } from "#client/enrollments.ts";
import type { Client } from "#client/surface.ts";
import type { App } from "#contract/apps/apps.ts";
import { CatalogError } from "#contract/errors.ts";
import type { ChildCreation } from "#contract/workspaces/workspaces.ts";
import { defaultStarterTemplate } from "#contract/workspaces/workspace-values.ts";
import { given } from "#lib/given.ts";
import { kebabCase } from "#lib/text/kebab-case.ts";
import { appKeyOf } from "../kit/apps/binding.ts";
import { enrollmentRecord } from "../kit/apps/enrollments.ts";
import { command } from "../kit/command.ts";
import { tenantOption } from "../kit/workspaces/options.ts";
import type { CommandContext } from "../kit/context.ts";
import { createChild } from "../kit/workspaces/create-child.ts";

/** Creates the child of an enrolled app and stores it with the app, whose key is claimed then. */
async function createRuntime(
  context: CommandContext,
  client: Client,
  app: App & { readonly key: string },
  child: ChildCreation,
): Promise<App> {
  const { output, signal } = context;
  const { key } = app;
  const parent = client.tenantId ?? "";
  let runtimeTenantId: string | undefined;
  try {
    runtimeTenantId = (await createChild(context, client, parent, child)).id;
    const { id, version, data } = await enrollmentRecord(client, key, signal);
    // Deployments differ in the names of the properties.
    const property = "vertical_key" in data ? "runtime_tenant_id" : "runtimeTenantId";
    await client.resources.update({
      params: { objectType: enrollmentType, id },
      body: { data: { ...data, [property]: runtimeTenantId }, version },
      signal,
    });
    return { ...app, runtimeTenantId };
  } catch (error) {
    if (runtimeTenantId === undefined && (await isWithdrawn(client, app, error))) {
      await output.note(shown`App "${key}" is not enrolled, since its child could not be created`);
      throw error;
    }
    await output.note(
      shown`App "${key}" is enrolled without its child. Next: \`svc app provision ${key} --tenant-id ${runtimeTenantId ?? "<child>"} --app-tenant-id ${parent}\``,
    );
    throw error;
  }
}

/** Removes the enrollment where the platform has certainly refused the child. */
async function isWithdrawn(client: Client, { id }: App, error: unknown): Promise<boolean> {
  const status = error instanceof CatalogError ? error.status : undefined;
  if (id === undefined || status === undefined || status < 400 || status > 499) return false;
  try {
    await client.useResources(enrollmentType).delete(id);
    return true;
  } catch (failure) {
    if (failure instanceof CatalogError) return false;
    throw failure;
  }
}

export default command({
  path: "app create",
  summary: "Enroll an app in a workspace",
  description:
    "The app runs in this workspace, or in a child: an existing one, or one that is created after " +
    "the app. `svc app provision` then prepares the workspace.",
  arguments: [{ name: "name", description: "Display name" }],
  options: {
    "tenant-id": { ...tenantOption, excludes: ["parent-tenant"] },
    "parent-tenant": {
      ...textOption("workspace", "The same as --tenant-id: the company workspace"),
      aliases: ["company-tenant", "company-workspace"],
    },
    "child-tenant": {
      ...textOption("workspace", "Child in which the app runs (ID or slug)"),
      excludes: ["child-tenant-slug"],
    },
    "child-tenant-slug": textOption("slug", "Create this child, in which the app runs"),
    key: textOption("key", "Key of the app (default: the name in kebab-case)"),
    template: textOption("key", "Starter template whose Object Types the app needs"),
    source: { ...textOption("name", "Where the app comes from"), default: "eai-cli" },
    "app-url": textOption("url", "Address of the app"),
    status: { ...textOption("status", "Status of the enrollment"), default: "pending" },
  },
  calls: [
    "apps.create",
    "workspaces.createChild",
    "workspaces.bootstrapAdmin",
    "resources.list",
    "resources.update",
    "resources.delete",
  ],
  answer: "apps.create",
  examples: [`svc app create "Permit desk" --app-url https://permits.northwind.example`],
  trials: [
    "Gate-{unique} --app-url https://gate.example",
    "Pond-{unique} --child-tenant-slug pond-{unique}",
  ],
  async run(input, context) {
    const { options } = input;
    const { output, signal } = context;
    const displayName = input.arguments.name.trim();
    const key = appKeyOf(options.key ?? kebabCase(displayName));
    const { template, source, status, "app-url": appUrl } = options;
    if (appUrl !== undefined && !/^https?:$/.test(URL.parse(appUrl)?.protocol ?? "")) {
      throw usageError(`--app-url "${appUrl}" is not an http or https address`);
    }
    const workspace = options["parent-tenant"] ?? options["tenant-id"];
    const client = await context.client({ workspace });
    const slug = options["child-tenant-slug"];
    const name = options["child-tenant"];
    const runtimeTenantId =
      name === undefined ? undefined : (await context.client({ workspace: name })).tenantId;
    const body = {
      key,
      displayName,
      source,
      status,
      ...given({ template, appUrl, runtimeTenantId }),
    };
    const enrolled = await client.apps.create({ body, signal });
    const made =
      slug === undefined
        ? enrolled
        : await createRuntime(
            context,
            client,
            { ...enrolled, key },
            {
              displayName,
              slug,
              usecase: "generic",
              starterTemplate: template ?? defaultStarterTemplate,
            },
          );
    await output.data(made, () =>
      output.fields([
        ["key", made.key ?? key],
        ["name", made.displayName ?? displayName],
        ["status", made.status ?? status],
        ["address", made.appUrl ?? appUrl],
        ["runs in", made.runtimeTenantId ?? runtimeTenantId],
        ["id", made.id],
      ]),
    );
    if (!output.isJson) await output.note(shown`Next: \`svc app provision ${key}\``);
  },
});
