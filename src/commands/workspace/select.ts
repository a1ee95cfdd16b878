import { Shown, shown } from "#cli/shown.ts";
import { inputError, missingField } from "#cli/errors.ts";
import { catalogError } from "#contract/errors.ts";
import type { Membership } from "#contract/access/identity.ts";
import { command } from "../kit/command.ts";
import { askLine, canAsk } from "../kit/input/confirm.ts";
import type { CommandContext } from "../kit/context.ts";
import { everyWorkspace, findWorkspace, treeOrder } from "../kit/workspaces/find.ts";
import { rememberWorkspace } from "../kit/sign-in/profile.ts";

async function ask(context: CommandContext): Promise<Membership> {
  const { output } = context;
  if (!canAsk(context)) {
    throw missingField("<workspace>", "`svc workspace list --all` lists your workspaces");
  }
  const client = await context.clientWithoutWorkspace();
  const rows = treeOrder(await everyWorkspace(client, { signal: context.signal }));
  if (rows.length === 0) throw catalogError("E202", { resource: "A workspace of yours" });
  const lines = output.table(
    rows.map((row, index) => ({ ...row, number: index + 1 })),
    [
      { heading: "#", value: (row) => row.number, align: "right", whole: true },
      { heading: "slug", value: ({ item, depth }) => `${"  ".repeat(depth)}${item.slug}` },
      { heading: "name", value: ({ item }) => item.displayName, optional: true },
      { heading: "role", value: ({ item }) => item.role, whole: true },
    ],
  );
  await output.note(Shown.joined(lines, "\n"));
  const answer = await askLine(context, shown`Which one (number or slug)? `);
  if (answer === "") throw inputError("no workspace was chosen");
  const chosen = /^\d+$/.test(answer) ? rows[Number(answer) - 1]?.item : undefined;
  return chosen ?? findWorkspace(context, answer);
}

export default command({
  path: "workspace select",
  summary: "Choose the workspace for later commands",
  arguments: [
    { name: "workspace", description: "ID or slug; a terminal asks for it", optional: true },
  ],
  options: {},
  calls: ["identity.tenants"],
  answer: ({ z }) =>
    z.strictObject({ selected: z.looseObject({ id: z.string(), slug: z.string() }) }),
  examples: ["svc workspace select planning"],
  trials: ["{slug}"],
  async run(input, context) {
    const { workspace: name } = input.arguments;
    const chosen = name === undefined ? await ask(context) : await findWorkspace(context, name);
    await rememberWorkspace(context, chosen);
    await context.output.data(
      { selected: chosen },
      () => shown`Selected ${`${chosen.slug} (${chosen.id})`}`,
    );
  },
});
