import { shown } from "#cli/shown.ts";
import { filledText, membersOf } from "#lib/json/value.ts";
import { exitCodes } from "#contract/errors.ts";
import { command } from "../kit/command.ts";
import { hostWords, openHost, repoOption, repositoryPath } from "./host.ts";

export default command({
  path: "deploy status",
  summary: "Show the latest runs of a repository's workflows",
  description: `Exits with 1 when the latest run failed, and with 8 while it runs. ${hostWords}`,
  waits: true,
  signsIn: true,
  rows: ["runs"],
  arguments: [],
  options: { repo: repoOption },
  answer: ({ z }) =>
    z.strictObject({
      repo: z.string(),
      runs: z.array(
        z.strictObject({
          id: z.number().optional(),
          workflow: z.string().optional(),
          branch: z.string().optional(),
          status: z.string(),
          conclusion: z.string().optional(),
          startedAt: z.string().optional(),
          url: z.string().optional(),
        }),
      ),
    }),
  examples: ["svc deploy status --repo northwind/portal"],
  trials: [],
  async run(input, context) {
    const { output } = context;
    const path = repositoryPath(input.options.repo);
    const host = openHost(context);
    const { body } = await host.call("GET", `${path}/actions/runs?per_page=10`);
    const listed = body.get("workflow_runs");
    const runs = (Array.isArray(listed) ? listed : []).slice(0, 10).map((run: unknown) => {
      const members = membersOf(run);
      const text = (name: string) => filledText(members?.get(name));
      const id = members?.get("id");
      return {
        id: typeof id === "number" ? id : undefined,
        workflow: text("path")?.split("/").at(-1) ?? text("name"),
        branch: text("head_branch"),
        status: text("status") ?? "unknown",
        conclusion: text("conclusion"),
        startedAt: text("run_started_at") ?? text("created_at"),
        url: text("html_url"),
      };
    });
    await output.data({ repo: input.options.repo, runs }, () =>
      output.table(runs, [
        { heading: "workflow", value: (run) => run.workflow ?? "" },
        { heading: "branch", value: (run) => run.branch ?? "" },
        { heading: "status", value: (run) => run.conclusion ?? run.status, whole: true },
        { heading: "started", value: (run) => run.startedAt ?? "", optional: true },
      ]),
    );
    const [latest] = runs;
    if (latest === undefined) {
      await output.note(shown`The repository has no runs`);
      return exitCodes.done;
    }
    if (latest.status !== "completed") return exitCodes.stillPending;
    return latest.conclusion === "success" ? exitCodes.done : exitCodes.failed;
  },
});
