import { shown } from "#cli/shown.ts";
import { textOption } from "#cli/command.ts";
import type { Membership } from "#contract/access/identity.ts";
import type { TreeRow } from "#lib/tree.ts";
import { command } from "../kit/command.ts";
import { everyWorkspace, treeOrder, workspaceIn } from "../kit/workspaces/find.ts";

/** `svc workspace list`: where the user is tenant-admin, or all with `--all` (spec 5.5). */
export default command({
  path: "workspace list",
  summary: "List your workspaces",
  rows: ["items"],
  arguments: [],
  options: {
    parent: {
      ...textOption("workspace", "Only the children of this workspace (ID or slug)"),
      aliases: ["parent-tenant"],
    },
    all: { type: "boolean", description: "Every membership, not only those as tenant-admin" },
    deleted: {
      type: "boolean",
      description: "The deleted workspaces that can be restored",
      excludes: ["parent"],
    },
    debug: { type: "boolean", description: "Report the request and the filter on stderr" },
    "raw-user": {
      type: "boolean",
      description: "Print the response of the identity route unchanged",
      excludes: ["parent"],
    },
  },
  calls: ["identity.tenants"],
  answer: ({ z, reply }) =>
    z.union([
      z.strictObject({
        items: z.array(z.looseObject({ id: z.string(), slug: z.string() })),
        selected: z.string().nullable(),
      }),
      reply("identity.tenants"),
    ]),
  trials: [
    "--all",
    { words: "--parent {workspace}", at: ["other"] },
    { words: "--raw-user", at: ["other"] },
  ],
  async run({ options }, context) {
    const { output } = context;
    const client = await context.clientWithoutWorkspace();
    const { signal } = context;
    const deleted = options.deleted ?? false;
    if (options["raw-user"]) {
      const query = deleted ? { deleted: "true" as const } : {};
      const answer = await client.identity.tenants({ query, signal });
      await output.data(answer, () => output.json(answer, 2));
      return;
    }
    const all = await everyWorkspace(client, { deleted, signal });
    const parent = options.parent === undefined ? undefined : workspaceIn(all, options.parent);
    const below = all.filter((item) => parent === undefined || item.parentId === parent.id);
    const listed = below.filter((item) => options.all || item.role === "tenant-admin");
    if (options.debug) {
      const counts = `${all.length} memberships, ${listed.length} shown`;
      await output.note(shown`GET ${client.baseUrl}/v4/identity/tenants: ${counts}`);
    }
    const selected = (await context.settings()).workspace?.value.id;
    // A script that cuts columns gets the slug without indent and mark.
    const slugCell = ({ item, depth }: TreeRow<Membership>): string =>
      output.settings.simple
        ? item.slug
        : `${"  ".repeat(depth)}${item.slug}${item.id === selected ? " ●" : ""}`;
    await output.data({ items: listed, selected: selected ?? null }, () =>
      output.table(treeOrder(listed), [
        { heading: "slug", value: slugCell, whole: true },
        { heading: "name", value: ({ item }) => item.displayName, optional: true },
        { heading: "role", value: ({ item }) => item.role, whole: true },
        ...(options.deleted
          ? [
              {
                heading: "until",
                value: ({ item }: TreeRow<Membership>) => item.restorableUntil,
                whole: true as const,
              },
            ]
          : []),
        { heading: "id", value: ({ item }) => item.id, whole: true },
      ]),
    );
    if (!output.isJson && listed.length === 0) await output.note(shown`No workspaces to show`);
    const hidden = below.length - listed.length;
    if (!output.isJson && hidden > 0) {
      const words = `${hidden} more where you are not tenant-admin: use --all`;
      await output.note(output.tone("dim", words));
    }
  },
});
