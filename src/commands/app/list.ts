import { shown } from "#cli/shown.ts";
import { command } from "../kit/command.ts";
import { tenantOption } from "../kit/workspaces/options.ts";
import { enrollmentOf, enrollmentType } from "#client/enrollments.ts";

export default command({
  path: "app list",
  summary: "List the apps of a workspace",
  rows: ["items"],
  arguments: [],
  options: {
    "tenant-id": tenantOption,
    limit: {
      type: "number",
      minimum: 1,
      maximum: 500,
      default: 50,
      description: "Apps to show, 1 to 500",
    },
  },
  calls: ["resources.list"],
  answer: ({ z, reply }) =>
    z.intersection(reply("resources.list"), z.looseObject({ selected: z.string().nullable() })),
  examples: ["svc app list"],
  trials: ["", "--limit 1"],
  async run({ options }, context) {
    const { output, signal } = context;
    const client = await context.client({ workspace: options["tenant-id"] });
    const apps = client.useResources(enrollmentType);
    const answer = await apps.list({ limit: options.limit, signal });
    const selected = (await context.settings()).appKey?.value;
    const rows = answer.items.map(enrollmentOf);
    await output.data({ ...answer, selected: selected ?? null }, () =>
      output.table(rows, [
        {
          heading: "key",
          value: ({ key }) => (key === selected && !output.settings.simple ? `${key} ●` : key),
          whole: true,
        },
        { heading: "name", value: ({ displayName }) => displayName, optional: true },
        { heading: "status", value: ({ status }) => status },
        { heading: "address", value: ({ appUrl }) => appUrl, optional: true },
        { heading: "runs in", value: (row) => row.runtimeTenantId, optional: true },
      ]),
    );
    if (output.isJson) return;
    if (rows.length === 0) await output.note(shown`No apps: \`svc app create\` enrolls one`);
    else if (answer.hasNextPage === true) {
      await output.note(output.tone("dim", "There are more apps: raise --limit"));
    }
  },
});
