import { shown } from "#cli/shown.ts";
import { counted } from "#lib/text/counted.ts";
import { given } from "#lib/given.ts";
import { command } from "../kit/command.ts";
import { printPage } from "../kit/output/pages.ts";
import { workspaceOption } from "../kit/workspaces/options.ts";

export default command({
  path: "account marks",
  summary: "List what others have changed since your last looks",
  description: "The dashboard marks a list as seen when you look at it; so does `account seen`.",
  rows: ["items"],
  arguments: [
    { name: "place", description: "documents, jobs, members or records/<type>", optional: true },
  ],
  options: { workspace: workspaceOption },
  calls: ["marks.list"],
  answer: "marks.list",
  examples: ["svc account marks", "svc account marks documents --format json"],
  trials: ["", "records/street-tree"],
  async run({ arguments: { place }, options }, context) {
    const { output, signal } = context;
    const client = await context.client({ workspace: options.workspace });
    const query = given({ tenant_id: client.tenantId, place });
    const list = await client.marks.list({ query, signal });
    await printPage(output, list, {
      options: {},
      none: "You have looked at no list yet",
      columns: [
        { heading: "place", value: (mark) => mark.place },
        {
          heading: "new",
          value: ({ unseen = [], more }) => `${unseen.length}${more === true ? "+" : ""}`,
        },
        { heading: "seen", value: ({ seenAt }) => seenAt },
        { heading: "first of them", value: ({ unseen = [] }) => unseen[0] ?? "", whole: true },
      ],
    });
    const total = list.items.reduce((sum, { unseen = [] }) => sum + unseen.length, 0);
    if (total > 0) await output.note(shown`You have not seen ${counted(total, "change")}`);
  },
});
