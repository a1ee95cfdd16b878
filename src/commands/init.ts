import { shown } from "#cli/shown.ts";
import { textOption } from "#cli/command.ts";
import { missingField, usageError } from "#cli/errors.ts";
import { packageProfileNames, templateNames, projectName } from "#local/templates/template.ts";
import { catalogError } from "#contract/errors.ts";
import { defaultStarterTemplate } from "#contract/workspaces/workspace-values.ts";
import { errorFromResponse } from "#client/failures.ts";
import { basename, join } from "node:path";
import { given } from "#lib/given.ts";
import { command } from "./kit/command.ts";
import type { CommandContext } from "./kit/context.ts";
import { askLine, canAsk } from "./kit/input/confirm.ts";
import { createChild } from "./kit/workspaces/create-child.ts";
import { findWorkspace } from "./kit/workspaces/find.ts";

interface AppPlace {
  readonly company: string;
  readonly parent: string | undefined;
  readonly child: string | undefined;
  readonly createsChild: boolean;
}

interface BoundApp {
  readonly key: string;
  readonly workspace: string;
  readonly runtimeWorkspace: string | undefined;
  readonly created: boolean;
}

/** `svc init`: a new project from a template, bound to an app where one is named (spec 4.7). */
export default command({
  path: "init",
  summary: "Make a project from a template",
  description:
    "The templates are in the executable: a web app and a script on the client library, which " +
    "install, build and test without a network. With --company-workspace the app is created or " +
    "bound there before a file is written.",
  arguments: [{ name: "name", description: "Name and folder of the project", optional: true }],
  options: {
    from: {
      type: "string",
      values: templateNames,
      default: "web-app",
      description: "Template of the project",
    },
    "skip-prompts": { type: "boolean", description: "Ask nothing, also on a terminal" },
    "current-dir": { type: "boolean", description: "Write into the current folder" },
    "company-workspace": {
      ...textOption("workspace", "Create or bind the app under this workspace"),
      aliases: ["company-tenant"],
    },
    "parent-tenant": {
      ...textOption("workspace", "Parent of the child workspace (default: the company workspace)"),
      needs: "child-tenant",
    },
    "child-tenant": {
      ...textOption("workspace", "Child workspace in which the app runs"),
      needs: "company-workspace",
    },
    "create-child-tenant": {
      type: "boolean",
      description: "Create the child workspace with this slug",
      needs: "child-tenant",
    },
    "no-gofer": {
      type: "boolean",
      description: "Keep no record of managed files: they are not renewed later",
    },
    "package-profile": {
      type: "string",
      placeholder: "profile",
      values: packageProfileNames,
      default: "external",
      description: "Who the package is for: external, internal or hybrid",
    },
  },
  calls: ["identity.tenants", "apps.create", "workspaces.createChild"],
  answer: ({ z }) =>
    z.looseObject({
      root: z.string(),
      template: z.string(),
      app: z
        .looseObject({ key: z.string(), created: z.boolean(), workspace: z.string() })
        .optional(),
      files: z.array(z.string()),
    }),
  examples: ["svc init tree-register", "svc init nightly-report --from script --skip-prompts"],
  trials: [
    { words: "shed-{unique} --skip-prompts", at: ["local"] },
    { words: "shed --company-workspace {workspace} --skip-prompts", at: ["other"] },
  ],
  async run(input, context) {
    const { output } = context;
    const { options } = input;
    const given = input.arguments.name;
    const name =
      given ??
      (options["current-dir"] ? undefined : await askName(context, options["skip-prompts"]));
    const place = placeOf(context, name, options["current-dir"]);
    const [{ projectFiles, templates }, { makeProject, requireRoom }, { managedFiles }] =
      await Promise.all([
        import("#local/templates/project-files.ts"),
        import("#local/new-project.ts"),
        import("#local/templates/base-files.ts"),
      ]);
    const facts = { name: place.name, packageProfile: options["package-profile"] };
    const isManaged = !options["no-gofer"];
    const notes = new Set(managedFiles(facts).map(({ path }) => path));
    const files = (await projectFiles(options.from, facts)).filter(
      ({ path }) => isManaged || !notes.has(path),
    );
    const project = {
      root: place.root,
      isCurrent: options["current-dir"],
      facts: { ...facts, template: options.from },
      files,
      isManaged,
    };
    await requireRoom(project);
    const company = options["company-workspace"];
    const app =
      company === undefined
        ? undefined
        : await bindApp(context, place.name, {
            company,
            parent: options["parent-tenant"],
            child: options["child-tenant"],
            createsChild: options["create-child-tenant"],
          });
    const variables =
      app === undefined
        ? undefined
        : new Map([
            ["SVC_APP_KEY", app.key],
            ["SVC_VERTICAL_KEY", app.key],
          ]);
    await makeProject(project, variables);
    const paths = files.map(({ path }) => path);
    const answer = { root: place.root, template: options.from, ...facts, app, files: paths };
    await output.data(answer, () => [
      ...paths.map((path) => shown`✓ ${path}`),
      ...(app === undefined
        ? []
        : [shown`✓ app ${app.key} ${app.created ? "created" : "bound"} in ${app.workspace}`]),
    ]);
    const { shellWord } = await import("#lib/text/shell-word.ts");
    const enter = options["current-dir"] ? "" : `cd ${shellWord(place.name)} && `;
    const { run } = templates[options.from];
    await output.note(shown`Next: ${enter}npm install && npm test && ${run}`);
  },
});

async function askName(context: CommandContext, skips: boolean): Promise<string> {
  if (skips || !canAsk(context)) {
    throw missingField("name", "Name the project, or use --current-dir");
  }
  const answer = await askLine(context, shown`Name of the project: `);
  if (answer === "") throw usageError("the name is empty");
  return answer;
}

/** Creates the app under the company workspace, or binds the one with the same key. */
async function bindApp(context: CommandContext, name: string, place: AppPlace): Promise<BoundApp> {
  const { signal } = context;
  const client = await context.clientWithoutWorkspace();
  const company = await findWorkspace(context, place.company);
  const runtime = await childOf(context, place);
  const response = await client.request("POST", `/v4/platform/tenants/${company.id}/apps`, {
    tenantId: company.id,
    signal,
    body: JSON.stringify({
      key: name,
      displayName: name,
      source: "eai-cli",
      ...given({ runtimeTenantId: runtime }),
    }),
  });
  const facts = { key: name, workspace: company.slug ?? company.id, runtimeWorkspace: runtime };
  if (response.ok || response.status === 409) {
    await response.body?.cancel();
    return { ...facts, created: response.ok };
  }
  throw await errorFromResponse(response, { subject: `the app ${name}` });
}

/** The workspace in which the app runs, created where asked. */
async function childOf(
  context: CommandContext,
  { company, parent = company, child, createsChild }: AppPlace,
): Promise<string | undefined> {
  if (child === undefined) return undefined;
  if (!createsChild) return (await findWorkspace(context, child)).id;
  if (!/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(child)) {
    throw catalogError("E305", { details: `--child-tenant "${child}" is not a slug` });
  }
  const client = await context.clientWithoutWorkspace();
  const made = await createChild(context, client, parent, {
    displayName: child,
    slug: child,
    usecase: "generic",
    starterTemplate: defaultStarterTemplate,
  });
  return made.id;
}

/** The folder and the name of a new project. Throws E305 for a name that can't be one. */
function placeOf(
  context: CommandContext,
  given: string | undefined,
  isCurrent: boolean,
): { readonly root: string; readonly name: string } {
  const here = context.environment.currentDirectory;
  const name = projectName(given ?? basename(here));
  if (name === "") throw usageError("the name has no letters", "For example: tree-register");
  // A path in the name would write elsewhere.
  if (given !== undefined && /[/\\]/.test(given)) {
    throw usageError(`"${given}" is a path: the name of a project is expected`);
  }
  return { root: isCurrent ? here : join(here, name), name };
}
