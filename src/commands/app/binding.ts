import { join } from "node:path";
import { catalogError } from "#contract/errors.ts";
import type { CommandContext } from "../context.ts";

const hint = "A project is a folder with `.env.local` or `src/eai.config/`";

/** The `.env.local` of the current project. Throws E001 without a project. */
export async function projectEnvFile(context: CommandContext): Promise<string> {
  const { project } = await context.settings();
  if (project === undefined) throw catalogError("E001", {}, { hint });
  return project.envFile ?? join(project.root, ".env.local");
}

/** Binds the project to an app (spec 4.7), in one step. */
export async function bindApp(path: string, key: string): Promise<void> {
  const { setEnvVariables } = await import("#local/env-file.ts");
  await setEnvVariables(path, { SVC_APP_KEY: key, SVC_VERTICAL_KEY: key });
}
