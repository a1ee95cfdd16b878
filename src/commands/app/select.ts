import { usageError } from "#cli/errors.ts";
import { command, tenantOption } from "../command.ts";
import { bindApp, projectEnvFile } from "./binding.ts";
import { findEnrollment } from "./enrollments.ts";

/** The key as a file of variables can have it. Throws E305, wrong usage. */
export function appKeyOf(text: string): string {
  const key = text.trim();
  if (key === "" || key.length > 128 || /[\x00-\x1f\x7f]/.test(key)) {
    throw usageError("<key> must be 1 to 128 characters without control characters");
  }
  return key;
}

export const appSelectCommand = command({
  path: "app select",
  summary: "Bind the project to an app",
  description: "Writes SVC_APP_KEY and SVC_VERTICAL_KEY to the project's `.env.local`.",
  arguments: [{ name: "key", description: "Key of the app" }],
  options: {
    "tenant-id": tenantOption,
    "skip-validate": { type: "boolean", description: "Do not look for the app on the platform" },
  },
  routes: ["GET /v4/data/resources/{tenantId}/{objectType}"],
  async run(input, context) {
    const { options } = input;
    const { output, signal } = context;
    const key = appKeyOf(input.arguments.key);
    const file = await projectEnvFile(context);
    if (!options["skip-validate"]) {
      const client = await context.client({ workspace: options["tenant-id"] });
      await findEnrollment(client, key, signal);
    }
    await bindApp(file, key);
    await output.data({ key, file }, () =>
      output.fields([
        ["app", key],
        ["written to", file],
      ]),
    );
  },
});
