import { missingField, usageError } from "#cli/errors.ts";
import type { Client } from "#client/surface.ts";
import { catalogError } from "#contract/errors.ts";
import { defaultStarterTemplate, homeRegions, usecases } from "#contract/workspace-values.ts";
import type { ChildCreation, Workspace } from "#contract/workspaces.ts";
import { command } from "../command.ts";
import type { CommandContext } from "../context.ts";
import { findWorkspace } from "./find.ts";

type HomeRegion = (typeof homeRegions)[number];
type Placement = { readonly parent: string } | { readonly homeRegion: HomeRegion };

/** Spec 4.7 rule 2: a root needs a region; a child inherits its parent's. */
function placementOf(
  parent: string | undefined,
  homeRegion: HomeRegion | undefined,
  allowRoot: boolean,
): Placement {
  if (parent !== undefined) {
    if (homeRegion !== undefined) {
      throw usageError(
        "--home-region cannot go with --parent: a child inherits its parent's region",
      );
    }
    if (allowRoot) throw usageError("--allow-root cannot go with --parent");
    return { parent };
  }
  if (!allowRoot) {
    const hint = "Or create a root workspace: --allow-root --home-region <region>";
    throw missingField("--parent", hint);
  }
  if (homeRegion !== undefined) return { homeRegion };
  throw missingField("--home-region", `The regions are ${homeRegions.join(", ")}`);
}

/** Creates the child, then its first admin, and checks the membership (spec 4.7). */
export async function createChild(
  context: CommandContext,
  client: Client,
  parent: string,
  body: ChildCreation,
): Promise<Workspace> {
  const { signal } = context;
  const parentId = (await findWorkspace(context, parent)).id;
  const child = await client.workspaces.createChild({ params: { parentId }, body, signal });
  const admin = await client.workspaces.bootstrapAdmin({
    params: { parentId, childId: child.id },
    signal,
  });
  const oid = admin.oid ?? (await client.identity.me({ signal })).oid;
  const { items } = await client.members.memberships({
    params: { tenantId: child.id, oid },
    tenantId: child.id,
    signal,
  });
  if (!items.some((item) => item.id === child.id)) {
    throw catalogError("E203", {
      details: `workspace ${child.id} was created, but you are not its admin`,
    });
  }
  return child;
}

export const workspaceCreateCommand = command({
  path: "workspace create",
  summary: "Create a workspace",
  arguments: [],
  options: {
    name: { type: "string", required: true, description: "Display name" },
    slug: { type: "string", required: true, description: "Slug in kebab-case" },
    parent: {
      type: "string",
      placeholder: "workspace",
      description: "Parent workspace (ID or slug)",
      aliases: ["parent-tenant"],
    },
    domain: { type: "string", description: "One domain" },
    usecase: { type: "string", values: usecases, default: "generic", description: "Purpose" },
    industry: { type: "string", description: "Industry" },
    "starter-template": {
      type: "string",
      default: defaultStarterTemplate,
      description: "Starter template key",
    },
    "home-region": { type: "string", values: homeRegions, description: "Only with --allow-root" },
    "allow-root": { type: "boolean", description: "Create a root workspace" },
  },
  routes: [
    "POST /v4/platform/tenants",
    "POST /v4/platform/tenants/{parentId}/children",
    "POST /v4/platform/tenants/{parentId}/children/{childId}/bootstrap-admin",
    "GET /v4/platform/tenants/{tenantId}/users/{oid}/memberships",
  ],
  examples: [`svc workspace create --name "Street works" --slug street-works --parent planning`],
  async run(input, context) {
    const { options } = input;
    const placement = placementOf(options.parent, options["home-region"], options["allow-root"]);
    if (options.domain?.includes(",") === true) {
      throw usageError("--domain takes one domain, not a list");
    }
    const client = await context.clientWithoutWorkspace();
    const body = {
      displayName: options.name,
      slug: options.slug,
      usecase: options.usecase,
      starterTemplate: options["starter-template"],
      ...(options.domain === undefined ? {} : { domain: options.domain }),
      ...(options.industry === undefined ? {} : { industry: options.industry }),
    };
    const created =
      "parent" in placement
        ? await createChild(context, client, placement.parent, body)
        : await client.workspaces.createRoot({
            body: { ...body, homeRegion: placement.homeRegion },
            signal: context.signal,
          });
    await context.output.data(created, () =>
      context.output.fields([
        ["id", created.id],
        ["slug", created.slug],
        ["name", created.displayName],
        ["parent", created.parentId ?? undefined],
        ["home region", created.homeRegion],
      ]),
    );
  },
});
