import { textOption } from "#cli/command.ts";
import { usageFormatError } from "#cli/errors.ts";
import { shown } from "#cli/shown.ts";
import { given } from "#lib/given.ts";
import { canonicalUuid } from "#lib/uuid.ts";
import { command } from "../kit/command.ts";
import { nameList } from "../kit/output/rows.ts";
import { parseDuration } from "../kit/input/duration.ts";
import { chosenRole, roleOptions, roleWords } from "../kit/roles.ts";
import { workspaceOption } from "../kit/workspaces/options.ts";

export default command({
  path: "key create",
  summary: "Create an API key for a script",
  description:
    "The token is shown once. A script sends it as SVC_TOKEN or as a bearer token. It may do " +
    "what its role may do in its workspaces; it cannot sign in or create keys.",
  arguments: [{ name: "name", description: "Name of the service account" }],
  options: {
    ...roleOptions,
    workspaces: textOption("ids", "IDs of other workspaces that it may enter, with commas"),
    "expires-in": textOption("duration", "Life of the key, such as 90d (default: no end)"),
    workspace: workspaceOption,
  },
  calls: ["keys.create"],
  answer: "keys.create",
  examples: ['svc key create "Nightly import" --role tenant-staff --expires-in 90d'],
  trials: ["Import --role tenant-staff --expires-in 90d"],
  async run(input, context) {
    const { options } = input;
    const { output, signal } = context;
    const role = chosenRole(options);
    const workspaces = workspaceIds(options.workspaces);
    const expiresAt = endAfter(options["expires-in"]);
    const body = { name: input.arguments.name, ...role, ...given({ workspaces, expiresAt }) };
    const client = await context.client({ workspace: options.workspace });
    const created = await client.keys.create({ body, signal });
    const { key, token, note } = created;
    await output.data(created, () =>
      output.fields([
        ["id", key.keyId],
        ["name", key.name],
        ["role", roleWords(key)],
        ["expires", key.expiresAt ?? "never"],
        ["token", token],
      ]),
    );
    if (output.isJson) return;
    if (note !== undefined) await output.note(shown`${note}`);
    else
      await output.note(
        shown`The token is shown this once: keep it where the script reads SVC_TOKEN`,
      );
  },
});

function workspaceIds(text: string | undefined): string[] | undefined {
  if (text === undefined) return undefined;
  return nameList("--workspaces", text).map((name) => {
    const id = canonicalUuid(name);
    if (id === undefined) throw usageFormatError(`--workspaces "${name}"`, "an ID");
    return id;
  });
}

function endAfter(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const lifeMs = parseDuration(text);
  if (lifeMs === undefined || lifeMs === 0) {
    throw usageFormatError(`--expires-in "${text}"`, "a duration such as 90d or 12h");
  }
  return new Date(Date.now() + lifeMs).toISOString();
}
