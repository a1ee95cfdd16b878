import { missingField, usageError } from "#cli/errors.ts";
import {
  defaultStarterTemplate,
  homeRegions,
  usecases,
} from "#contract/workspaces/workspace-values.ts";
import { given } from "#lib/given.ts";
import { command } from "../kit/command.ts";
import { createChild, createdWorkspace } from "../kit/workspaces/create-child.ts";
import { everyWorkspace } from "../kit/workspaces/find.ts";

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

export default command({
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
  calls: [
    "workspaces.createRoot",
    "workspaces.createChild",
    "workspaces.bootstrapAdmin",
    "identity.tenants",
    "members.memberships",
  ],
  answer: ({ z }) => z.looseObject({ id: z.string(), slug: z.string().optional() }),
  examples: [`svc workspace create --name "Street works" --slug street-works --parent planning`],
  trials: [
    "--name Yard --slug yard-{unique} --parent {workspace}",
    "--name Pier --slug pier-{unique} --home-region eu --allow-root",
  ],
  async run({ options }, context) {
    const placement = placementOf(options.parent, options["home-region"], options["allow-root"]);
    if (options.domain?.includes(",") === true) {
      throw usageError("--domain takes one domain, not a list");
    }
    const { signal } = context;
    const client = await context.clientWithoutWorkspace();
    const body = {
      displayName: options.name,
      slug: options.slug,
      usecase: options.usecase,
      starterTemplate: options["starter-template"],
      ...given({ domain: options.domain, industry: options.industry }),
    };
    const created =
      "parent" in placement
        ? await createChild(context, client, placement.parent, body)
        : await createdWorkspace(
            await client.workspaces.createRoot({
              body: { ...body, homeRegion: placement.homeRegion },
              signal,
            }),
            () => everyWorkspace(client, { signal }),
            { slug: body.slug },
          );
    await context.output.data(created, () =>
      context.output.fields([
        ["id", created.id || undefined],
        ["slug", created.slug],
        ["name", created.displayName],
        ["parent", created.parentId ?? undefined],
        ["home region", created.homeRegion],
      ]),
    );
  },
});
