import { shown } from "#cli/shown.ts";
import { command } from "../kit/command.ts";
import { hostWords, openHost, repoOption, repositoryPath } from "./host.ts";

const variable = "BASE_URL_PUBLIC_API";

export default command({
  path: "deploy setup",
  summary: "Prepare a repository on a source host for deployments",
  description:
    `Checks that the repository can be written, sets its variable ${variable} to the platform of ` +
    `this call, and lists its workflows. ${hostWords}`,
  signsIn: true,
  arguments: [],
  options: { repo: repoOption },
  answer: ({ z }) =>
    z.strictObject({
      repo: z.string(),
      host: z.string(),
      defaultBranch: z.string().optional(),
      variable: z.strictObject({ name: z.string(), value: z.string(), created: z.boolean() }),
      workflows: z.array(z.string()),
    }),
  examples: ["svc deploy setup --repo northwind/portal"],
  trials: [],
  async run(input, context) {
    const { output } = context;
    const path = repositoryPath(input.options.repo);
    const host = openHost(context);
    const { baseUrl } = await context.settings();
    const { body } = await host.call("GET", path);
    const branch = body.get("default_branch");
    const value = { name: variable, value: baseUrl.value };
    const created = await host.call("POST", `${path}/actions/variables`, {
      body: value,
      allowed: [409],
    });
    if (created.status === 409) {
      await host.call("PATCH", `${path}/actions/variables/${variable}`, { body: value });
    }
    const listed = await host.call("GET", `${path}/actions/workflows?per_page=100`);
    const found = listed.body.get("workflows");
    const workflows = (Array.isArray(found) ? found : []).flatMap((one: unknown) =>
      typeof one === "object" && one !== null && "path" in one && typeof one.path === "string"
        ? [one.path]
        : [],
    );
    const answer = {
      repo: input.options.repo,
      host: host.address,
      defaultBranch: typeof branch === "string" ? branch : undefined,
      variable: { ...value, created: created.status !== 409 },
      workflows,
    };
    await output.data(answer, () => [
      shown`${output.tone("good", "✓")} ${variable} is ${baseUrl.value}`,
      ...workflows.map((file) => shown`  ${file}`),
    ]);
    if (workflows.length === 0) {
      await output.note(
        shown`The repository has no workflows: commit .github/workflows of a project`,
      );
    }
  },
});
