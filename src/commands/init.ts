import { shown } from "#cli/shown.ts";
import { textOption } from "#cli/command.ts";
import { missingField, usageError } from "#cli/errors.ts";
import { packageProfileNames, templateNames } from "#local/templates/template.ts";
import { command } from "./command.ts";
import type { CommandContext } from "./context.ts";
import { askLine, canAsk } from "./input/confirm.ts";

/** `svc init`: a new project from a template, bound to an app where one is named (spec 4.7). */
export const initCommand = command({
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
  routes: [
    "GET /v4/identity/tenants",
    "POST /v4/platform/tenants/{tenantId}/apps",
    "POST /v4/platform/tenants/{parentId}/children",
  ],
  examples: ["svc init tree-register", "svc init nightly-report --from script --skip-prompts"],
  async run(input, context) {
    const { output } = context;
    const { options } = input;
    const { placeOf, requireRoom } = await import("./project/place.ts");
    const given = input.arguments.name;
    const name =
      given ??
      (options["current-dir"] ? undefined : await askName(context, options["skip-prompts"]));
    const place = placeOf(context, name, options["current-dir"]);
    const [{ projectFiles }, { writeProject }, { managedFiles }] = await Promise.all([
      import("#local/templates/project-files.ts"),
      import("#local/managed-files.ts"),
      import("#local/templates/base-files.ts"),
    ]);
    const facts = { name: place.name, packageProfile: options["package-profile"] };
    const isManaged = !options["no-gofer"];
    const notes = new Set(managedFiles(facts).map(({ path }) => path));
    const files = (await projectFiles(options.from, facts)).filter(
      ({ path }) => isManaged || !notes.has(path),
    );
    await requireRoom(place.root, files, options["current-dir"]);
    const company = options["company-workspace"];
    const { bindApp } = await import("./project/app.ts");
    const app =
      company === undefined
        ? undefined
        : await bindApp(context, place.name, {
            company,
            parent: options["parent-tenant"],
            child: options["child-tenant"],
            createsChild: options["create-child-tenant"],
          });
    await writeProject(place.root, { ...facts, template: options.from }, files, isManaged);
    if (app !== undefined) {
      const { withVariables, writeEnvFile } = await import("#local/env-lines.ts");
      const { join } = await import("node:path");
      const path = join(place.root, ".env.local");
      const before = Bun.file(path);
      const text = (await before.exists()) ? await before.text() : "";
      const keys = new Map([
        ["SVC_APP_KEY", app.key],
        ["SVC_VERTICAL_KEY", app.key],
      ]);
      await writeEnvFile(path, withVariables(text, keys));
    }
    const paths = files.map(({ path }) => path);
    const answer = { root: place.root, template: options.from, ...facts, app, files: paths };
    await output.data(answer, () => [
      ...paths.map((path) => shown`✓ ${path}`),
      ...(app === undefined
        ? []
        : [shown`✓ app ${app.key} ${app.created ? "created" : "bound"} in ${app.workspace}`]),
    ]);
    const { shellWord } = await import("#lib/shell-word.ts");
    const enter = options["current-dir"] ? "" : `cd ${shellWord(place.name)} && `;
    await output.note(shown`Next: ${enter}npm install && npm test && svc dev`);
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
