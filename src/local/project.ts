import { stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { readProjectVariables } from "./env-file.ts";
import type { Project } from "./surface.ts";

const configFolder = "src/eai.config";
const envFile = ".env.local";
const deepestSearch = 64;

/** The nearest folder up to the home directory with `src/eai.config/` or `.env.local`. */
export async function findProject(
  currentDirectory: string,
  homeDirectory: string,
): Promise<Project | undefined> {
  const home = resolve(homeDirectory);
  let folder = resolve(currentDirectory);
  for (let depth = 0; depth < deepestSearch; depth += 1) {
    const [config, env] = await Promise.all([
      isKind(join(folder, configFolder), "folder"),
      isKind(join(folder, envFile), "file"),
    ]);
    if (config || env) {
      return {
        root: folder,
        configDirectory: config ? join(folder, configFolder) : undefined,
        envFile: env ? join(folder, envFile) : undefined,
        variables: env ? await readProjectVariables(join(folder, envFile)) : {},
      };
    }
    const parent = dirname(folder);
    if (parent === folder || folder === home) return undefined;
    folder = parent;
  }
  return undefined;
}

async function isKind(path: string, kind: "file" | "folder"): Promise<boolean> {
  try {
    const facts = await stat(path);
    return kind === "file" ? facts.isFile() : facts.isDirectory();
  } catch {
    return false;
  }
}
