import { basename, isAbsolute, join } from "node:path";
import { catalogError } from "#contract/errors.ts";
import type { Project } from "#local/surface.ts";
import type { EnvStore } from "#local/env/store.ts";
import type { CommandContext } from "../context.ts";

const connectionVariable = "AZURE_APPCONFIG_CONNECTION_STRING";
const folderVariable = "SVC_ENV_STORE";

export const storeWords =
  `The store is Azure App Configuration when ${connectionVariable} is set, otherwise the folder ` +
  `in ${folderVariable}, otherwise \`env\` in the configuration folder. Both variables are read ` +
  "from the environment only.";

/** The configuration store of this call; a project can't choose it. */
export async function openStore(context: CommandContext): Promise<EnvStore> {
  const { environment, signal } = context;
  const connectionString = environment.variables[connectionVariable] ?? "";
  if (connectionString !== "") {
    const { azureStore } = await import("#local/env/azure-store.ts");
    return azureStore({ connectionString, signal, fetch: environment.fetch });
  }
  const { folderStore } = await import("#local/env/store.ts");
  const given = environment.variables[folderVariable] ?? "";
  if (given !== "" && !isAbsolute(given)) {
    throw catalogError("E006", { details: `${folderVariable} must be an absolute path` });
  }
  const { configDirectory } = await context.settings();
  return folderStore(given === "" ? join(configDirectory.value, "env") : given);
}

/** The project's name in the store: its app key, otherwise its folder's name. */
export async function storeKey(context: CommandContext, project: Project): Promise<string> {
  const [{ projectKey }, { appKey }] = await Promise.all([
    import("#local/env/store.ts"),
    context.settings(),
  ]);
  return projectKey(appKey?.value ?? basename(project.root));
}

/** The path of the project's `.env.local`, and its text. */
export async function envFileOf(
  project: Project,
): Promise<{ readonly path: string; readonly text: string }> {
  const { readEnvText } = await import("#local/env/file.ts");
  const path = project.envFile ?? join(project.root, ".env.local");
  return { path, text: project.envFile === undefined ? "" : await readEnvText(path) };
}
