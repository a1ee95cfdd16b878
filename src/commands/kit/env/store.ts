import { basename, isAbsolute, join } from "node:path";
import { catalogError } from "#contract/errors.ts";
import type { Project } from "#local/surface.ts";
import type { EnvStore, StoredSetting } from "#local/env/store.ts";
import type { CommandContext } from "../context.ts";

const connectionVariable = "AZURE_APPCONFIG_CONNECTION_STRING";
const folderVariable = "SVC_ENV_STORE";

export const storeWords =
  `The store is Azure App Configuration when ${connectionVariable} is set, otherwise the folder ` +
  `in ${folderVariable}, otherwise \`env\` in the configuration folder. Both variables are read ` +
  "from the environment only. A project is stored under the name in package.json, else that of its " +
  "repository, its app or its folder.";

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

/** The project's name in the store, which a clone in a folder of any name has too. */
export async function storeKey(context: CommandContext, project: Project): Promise<string> {
  return (await storeKeys(context, project))[0] ?? "project";
}

/**
 * The names under which a project's variables may be stored, the first one for what is written: an
 * app key that the caller gives, the name in `package.json`, that of the repository, the app key of
 * `.env.local` and the folder's name.
 */
export async function storeKeys(context: CommandContext, project: Project): Promise<string[]> {
  const [{ projectKey }, { projectNames }, { appKey }] = await Promise.all([
    import("#local/env/store.ts"),
    import("#local/env/project-names.ts"),
    context.settings(),
  ]);
  const isOfProject = appKey?.source === "project";
  const names = [
    isOfProject ? undefined : appKey?.value,
    ...(await projectNames(project.root)),
    isOfProject ? appKey.value : undefined,
    basename(project.root),
  ];
  return [...new Set(names.filter((name) => name !== undefined).map(projectKey))];
}

/** The stored variables of a project under all its names; the first name with a value wins. */
export async function readStored(
  store: EnvStore,
  keys: readonly string[],
  label: string,
): Promise<{ readonly key: string; readonly settings: readonly StoredSetting[] }> {
  const found = new Map<string, StoredSetting>();
  let first: string | undefined;
  for (const key of keys) {
    for (const setting of await store.read(key, label)) {
      first ??= key;
      if (!found.has(setting.name)) found.set(setting.name, setting);
    }
  }
  return { key: first ?? keys[0] ?? "project", settings: [...found.values()] };
}

/** The path of the project's `.env.local`, and its text. */
export async function envFileOf(
  project: Project,
): Promise<{ readonly path: string; readonly text: string }> {
  const { readEnvText } = await import("#local/env/file.ts");
  const path = project.envFile ?? join(project.root, ".env.local");
  return { path, text: project.envFile === undefined ? "" : await readEnvText(path) };
}
