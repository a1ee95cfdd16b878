import { textOption } from "#cli/command.ts";
import { shown } from "#cli/shown.ts";
import { given } from "#lib/given.ts";
import { command } from "../kit/command.ts";
import { workspaceOption } from "../kit/workspaces/options.ts";

export default command({
  path: "account seen",
  summary: "Mark a list of a workspace as seen by you",
  arguments: [{ name: "place", description: "documents, jobs, members or records/<type>" }],
  options: {
    workspace: workspaceOption,
    cursor: textOption("cursor", "`feedCursor` of a list that you have read; by default now"),
  },
  calls: ["marks.set"],
  answer: "marks.set",
  examples: ["svc account seen documents"],
  trials: ["documents"],
  async run({ arguments: { place }, options }, context) {
    const { output, signal } = context;
    const client = await context.client({ workspace: options.workspace });
    const body = { place, ...given({ tenant_id: client.tenantId, cursor: options.cursor }) };
    const mark = await client.marks.set({ body, signal });
    await output.data(mark, () => shown`Marked ${mark.place} as seen`);
  },
});
