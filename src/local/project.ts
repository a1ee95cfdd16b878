import { lstat, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { catalogError } from "#contract/errors.ts";
import { readProjectVariables } from "./env-file.ts";
import type { Project } from "./surface.ts";

const configFolder = "src/eai.config";
const envFile = ".env.local";
const deepestSearch = 64;

/**
 * The nearest folder up to the home directory with `src/eai.config/` or `.env.local`. Throws E003
 * for an `.env.local` that links to a missing file, and E005 for one that is a folder.
 */
export async function findProject(
  currentDirectory: string,
  homeDirectory: string,
): Promise<Project | undefined> {
  const home = resolve(homeDirectory);
  let folder = resolve(currentDirectory);
  for (let depth = 0; depth < deepestSearch; depth += 1) {
    const paths = { config: join(folder, configFolder), env: join(folder, envFile) };
    const [config, env] = await Promise.all([kindOf(paths.config), kindOf(paths.env)]);
    if (env === "broken link") throw catalogError("E003", { file: paths.env });
    if (env === "folder") {
      throw catalogError("E005", {}, { hint: `${paths.env} is a folder; a file is expected` });
    }
    const hasConfig = config !== undefined;
    if (hasConfig || env === "file") {
      return {
        root: folder,
        configDirectory: config === "folder" ? paths.config : undefined,
        ...faultOf(paths.config, config),
        envFile: env === "file" ? paths.env : undefined,
        variables: env === "file" ? await readProjectVariables(paths.env) : {},
      };
    }
    const parent = dirname(folder);
    if (parent === folder || folder === home) return undefined;
    folder = parent;
  }
  return undefined;
}

type Kind = "file" | "folder" | "broken link";

function faultOf(path: string, kind: Kind | undefined): Pick<Project, "fault"> {
  const isFine = kind === undefined || kind === "folder";
  return isFine ? {} : { fault: `${path} is a ${kind}; a folder is expected` };
}

/** Undefined for nothing, and for a pipe or a device, which are not read. */
async function kindOf(path: string): Promise<Kind | undefined> {
  try {
    const facts = await stat(path);
    if (facts.isDirectory()) return "folder";
    return facts.isFile() ? "file" : undefined;
  } catch {
    const facts = await lstat(path).catch(() => undefined);
    return facts?.isSymbolicLink() === true ? "broken link" : undefined;
  }
}
