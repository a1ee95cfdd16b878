import { exitCodes } from "#contract/errors.ts";
import { command } from "../kit/command.ts";
import { workspaceOption } from "../kit/workspaces/options.ts";

export default command({
  path: "user can",
  summary: "Whether you may do something, why, and which role would do",
  description:
    "A capability is a route by its name, e.g. `resources.create`. Without one it lists all, " +
    "with the role that each needs. Exit code 1 means that one of them is refused.",
  rows: ["decisions", "items"],
  arguments: [
    { name: "capabilities", description: "Names of capabilities", optional: true, variadic: true },
  ],
  options: { workspace: workspaceOption },
  calls: ["capabilities.catalog", "capabilities.evaluate"],
  answer: ["capabilities.evaluate", "capabilities.catalog"],
  examples: ["svc user can resources.create members.invite"],
  trials: [{ words: "records.read", at: ["stub"] }, ""],
  async run(input, context) {
    const { output, signal } = context;
    const { capabilities } = input.arguments;
    const [first] = capabilities;
    if (first === undefined) {
      const client = await context.clientWithoutWorkspace();
      const catalog = await client.capabilities.catalog({ signal });
      await output.data(catalog, () =>
        output.table(catalog.items, [
          { heading: "capability", value: ({ capability }) => capability, whole: true },
          { heading: "needs", value: ({ requiredRole }) => requiredRole, whole: true },
          { heading: "summary", value: ({ summary }) => summary, optional: true },
        ]),
      );
      return undefined;
    }
    const client = await context.client({ workspace: input.options.workspace });
    const body = { capabilities, tenantId: client.tenantId };
    const answer = await client.capabilities.evaluate({ body, signal });
    await output.data(answer, () =>
      output.table(answer.decisions ?? [], [
        { heading: "capability", value: ({ capability }) => capability, whole: true },
        { heading: "allowed", value: ({ allowed }) => (allowed ? "yes" : "no"), whole: true },
        { heading: "reason", value: ({ reason }) => reason, whole: true },
      ]),
    );
    return answer.allowed ? exitCodes.done : exitCodes.failed;
  },
});
