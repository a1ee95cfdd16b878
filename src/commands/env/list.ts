import { shown } from "#cli/shown.ts";
import { command } from "../kit/command.ts";
import { requireProject } from "../kit/input/project.ts";
import { envFileOf } from "../kit/env/store.ts";

export default command({
  path: "env list",
  summary: "List the variables in the project's .env.local",
  description: "Values that look like secrets are masked without --show-secrets.",
  rows: ["variables"],
  arguments: [],
  options: {
    "show-secrets": { type: "boolean", description: "Show secrets as they are" },
  },
  answer: ({ z }) =>
    z.strictObject({
      file: z.string(),
      variables: z.array(
        z.strictObject({ name: z.string(), value: z.string(), secret: z.boolean() }),
      ),
    }),
  examples: ["svc env list"],
  async run(input, context) {
    const { output } = context;
    const project = await requireProject(context);
    const [{ path, text }, { parseEnv }, { isSecret, masked }] = await Promise.all([
      envFileOf(project),
      import("#local/env/file.ts"),
      import("../kit/env/secrets.ts"),
    ]);
    const rows = [...parseEnv(text)].map(([name, value]) => {
      const secret = isSecret(name, value);
      const visible = secret && value !== "" && !input.options["show-secrets"] ? masked : value;
      return { name, value: visible, secret };
    });
    await output.data({ file: path, variables: rows }, () =>
      output.table(rows, [
        { heading: "name", value: (row) => row.name, whole: true },
        { heading: "value", value: (row) => row.value },
      ]),
    );
    if (rows.length === 0) await output.note(shown`The project has no variables in .env.local`);
  },
});
