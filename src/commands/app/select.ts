import { command } from "../kit/command.ts";
import { tenantOption } from "../kit/workspaces/options.ts";
import { appKeyOf, bindApp, projectEnvFile } from "../kit/apps/binding.ts";
import { findEnrollment } from "../kit/apps/enrollments.ts";

export default command({
  path: "app select",
  summary: "Bind the project to an app",
  description: "Writes SVC_APP_KEY and SVC_VERTICAL_KEY to the project's `.env.local`.",
  arguments: [{ name: "key", description: "Key of the app" }],
  options: {
    "tenant-id": tenantOption,
    "skip-validate": { type: "boolean", description: "Do not look for the app on the platform" },
  },
  calls: ["resources.list"],
  answer: ({ z }) => z.strictObject({ key: z.string(), file: z.string() }),
  trials: [
    { words: "gate-{unique}", after: ["app create Gate-{unique}"] },
    "anything --skip-validate",
  ],
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
