import { shown } from "#cli/shown.ts";
import { textOption } from "#cli/command.ts";
import { usageError } from "#cli/errors.ts";
import { command } from "../kit/command.ts";
import { hostWords, openHost, repoOption, repositoryPath } from "./host.ts";

export default command({
  path: "deploy trigger",
  summary: "Start a deployment workflow",
  description: `The workflow must accept \`workflow_dispatch\`. ${hostWords}`,
  signsIn: true,
  arguments: [],
  options: {
    repo: repoOption,
    branch: { ...textOption("branch", "Branch to deploy"), default: "main" },
    workflow: { ...textOption("file", "File of the workflow"), default: "deploy-demo.yml" },
  },
  answer: ({ z }) =>
    z.strictObject({
      repo: z.string(),
      branch: z.string(),
      workflow: z.string(),
      triggered: z.literal(true),
    }),
  examples: ["svc deploy trigger --repo northwind/portal"],
  trials: [],
  async run(input, context) {
    const { output } = context;
    const { repo, branch, workflow } = input.options;
    const path = repositoryPath(repo);
    if (!/^[A-Za-z0-9._-]{1,200}\.ya?ml$/.test(workflow)) {
      throw usageError(`--workflow "${workflow}" is not the name of a YAML file`);
    }
    const host = openHost(context);
    await host.call("POST", `${path}/actions/workflows/${workflow}/dispatches`, {
      body: { ref: branch },
    });
    const answer = { repo, branch, workflow, triggered: true };
    await output.data(answer, () => shown`${workflow} was started on ${branch}`);
    await output.note(shown`Follow it: svc deploy status --repo ${repo}`);
  },
});
