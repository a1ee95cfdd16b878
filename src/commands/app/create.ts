import { textOption } from "#cli/command.ts";
import { usageError } from "#cli/errors.ts";
import { shown } from "#cli/shown.ts";
import type { Client } from "#client/surface.ts";
import { defaultStarterTemplate } from "#contract/workspaces/workspace-values.ts";
import { given } from "#lib/given.ts";
import { kebabCase } from "#lib/text/kebab-case.ts";
import { appKeyOf } from "../kit/apps/binding.ts";
import { command } from "../kit/command.ts";
import { tenantOption } from "../kit/workspaces/options.ts";
import type { CommandContext } from "../kit/context.ts";
import { createChild } from "../kit/workspaces/create-child.ts";

async function runtimeOf(
  context: CommandContext,
  client: Client,
  app: { readonly displayName: string; readonly template: string | undefined },
  options: { readonly "child-tenant"?: string; readonly "child-tenant-slug"?: string },
): Promise<string | undefined> {
  const slug = options["child-tenant-slug"];
  if (slug !== undefined) {
    const child = await createChild(context, client, client.tenantId ?? "", {
      displayName: app.displayName,
      slug,
      usecase: "generic",
      starterTemplate: app.template ?? defaultStarterTemplate,
    });
    return child.id;
  }
  const name = options["child-tenant"];
  return name === undefined ? undefined : (await context.client({ workspace: name })).tenantId;
}

export default command({
  path: "app create",
  summary: "Enroll an app in a workspace",
  description:
    "The app runs in this workspace, or in a child: an existing one, or one that is created with " +
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
  calls: ["apps.create", "workspaces.createChild", "workspaces.bootstrapAdmin"],
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
    const runtimeTenantId = await runtimeOf(context, client, { displayName, template }, options);
    const body = {
      key,
      displayName,
      source,
      status,
      ...given({ template, appUrl, runtimeTenantId }),
    };
    const made = await client.apps.create({ body, signal });
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
