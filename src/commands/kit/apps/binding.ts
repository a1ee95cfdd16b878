import { join } from "node:path";
import { textOption } from "#cli/command.ts";
import { usageError } from "#cli/errors.ts";
import { catalogError } from "#contract/errors.ts";
import type { CommandContext } from "../context.ts";

/** The old name of `--app` (spec 9.2). */
export const verticalOption = {
  ...textOption("key", "Old name of --app"),
  deprecated: "--app",
  excludes: ["app"],
} as const;

const hint = "A project is a folder with `.env.local` or `src/eai.config/`";

/** The `.env.local` of the current project. Throws E001 without a project. */
export async function projectEnvFile(context: CommandContext): Promise<string> {
  const { project } = await context.settings();
  if (project === undefined) throw catalogError("E001", {}, { hint });
  return project.envFile ?? join(project.root, ".env.local");
}

/** Binds the project to an app (spec 4.7), in one step. */
export async function bindApp(path: string, key: string): Promise<void> {
  const { setEnvVariables } = await import("#local/env/file.ts");
  await setEnvVariables(path, { SVC_APP_KEY: key, SVC_VERTICAL_KEY: key });
}

/** The key as a file of variables can have it. Throws E305, wrong usage. */
export function appKeyOf(text: string): string {
  const key = text.trim();
  if (key === "" || key.length > 128 || /[\x00-\x1f\x7f]/.test(key)) {
    throw usageError("<key> must be 1 to 128 characters without control characters");
  }
  return key;
}
