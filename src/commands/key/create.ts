import { textOption } from "#cli/command.ts";
import { missingField, usageFormatError } from "#cli/errors.ts";
import { shown } from "#cli/shown.ts";
import { canonicalUuid } from "#lib/uuid.ts";
import { command } from "../command.ts";
import { nameList } from "../output/rows.ts";
import { parseDuration } from "../serve/duration.ts";
import { roleValues, workspaceOption } from "../user/members.ts";
import { keyRole, roleOptionText } from "./keys.ts";

export const keyCreateCommand = command({
  path: "key create",
  summary: "Create an API key for a script",
  description:
    "The token is shown once. A script sends it as SVC_TOKEN or as a bearer token. It may do what " +
    "its role may do in its workspaces; it cannot sign in or create keys.",
  arguments: [{ name: "name", description: "Name of the service account" }],
  options: {
    role: { ...roleValues, description: "Base role" },
    "role-definition-id": { ...roleOptionText, excludes: ["role"] },
    workspaces: textOption("ids", "IDs of other workspaces that it may enter, with commas"),
    "expires-in": textOption("duration", "Life of the key, such as 90d (default: no end)"),
    workspace: workspaceOption,
  },
  routes: ["POST /v4/platform/tenants/{tenantId}/keys"],
  examples: ['svc key create "Nightly import" --role tenant-staff --expires-in 90d'],
  async run(input, context) {
    const { options } = input;
    const { output, signal } = context;
    const definitionId = options["role-definition-id"];
    if (options.role === undefined && definitionId === undefined) {
      throw missingField("--role", "`svc user roles` lists them");
    }
    const workspaces = workspaceIds(options.workspaces);
    const expiresAt = endAfter(options["expires-in"]);
    const body = {
      name: input.arguments.name,
      ...(options.role === undefined ? {} : { role: options.role }),
      ...(definitionId === undefined ? {} : { roleDefinitionId: definitionId }),
      ...(workspaces === undefined ? {} : { workspaces }),
      ...(expiresAt === undefined ? {} : { expiresAt }),
    };
    const client = await context.client({ workspace: options.workspace });
    const created = await client.keys.create({ body, signal });
    const { key, token, note } = created;
    await output.data(created, () =>
      output.fields([
        ["id", key.keyId],
        ["name", key.name],
        ["role", keyRole(key)],
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
  return nameList("--workspaces", text).map((given) => {
    const id = canonicalUuid(given);
    if (id === undefined) throw usageFormatError(`--workspaces "${given}"`, "an ID");
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
