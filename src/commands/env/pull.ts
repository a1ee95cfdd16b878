import { shown } from "#cli/shown.ts";
import { textOption } from "#cli/command.ts";
import { counted } from "#lib/text/counted.ts";
import { systemErrorCode, writeErrorWords } from "#lib/system-error.ts";
import { catalogError } from "#contract/errors.ts";
import { command } from "../kit/command.ts";
import { requireProject } from "../kit/input/project.ts";
import { envFileOf, openStore, readStored, storeKeys, storeWords } from "../kit/env/store.ts";

/** `svc env pull`: variables of a configuration store into `.env.local` (spec 4.7). */
export default command({
  path: "env pull",
  summary: "Fetch variables from the configuration store into .env.local",
  description:
    "Other lines of the file stay. Secrets are left out without --include-secrets; a local " +
    `secret stays as it is. ${storeWords}`,
  arguments: [],
  options: {
    env: { ...textOption("name", "Environment to fetch"), default: "dev" },
    label: textOption("label", "Label in the store (default: the environment)"),
    "include-secrets": { type: "boolean", description: "Also write secrets" },
  },
  answer: ({ z }) =>
    z.strictObject({
      store: z.string(),
      project: z.string(),
      label: z.string(),
      file: z.string(),
      written: z.array(z.string()),
      unchanged: z.int(),
      skipped: z.array(z.looseObject({ name: z.string() })),
    }),
  examples: ["svc env pull", "svc env pull --env test --include-secrets"],
  async run({ options }, context) {
    const { output } = context;
    const [{ checkLabel }, { isVariableName, withVariables, writeEnvFile }, { parseEnv }] =
      await Promise.all([
        import("#local/env/store.ts"),
        import("#local/env/lines.ts"),
        import("#local/env/file.ts"),
      ]);
    const { isSecret, steersPrograms } = await import("../kit/env/secrets.ts");
    const label =
      options.label === undefined
        ? checkLabel(options.env, "--env")
        : checkLabel(options.label, "--label");
    const project = await requireProject(context);
    const [store, keys, { path, text }] = await Promise.all([
      openStore(context),
      storeKeys(context, project),
      envFileOf(project),
    ]);
    const { key, settings } = await readStored(store, keys, label);
    const local = parseEnv(text);
    const written = new Map<string, string>();
    const skipped: { name: string; reason: string }[] = [];
    let unchanged = 0;
    for (const setting of settings) {
      const { name, value } = setting;
      const hidden = setting.isSecret || isSecret(name, value);
      if (!isVariableName(name)) skipped.push({ name, reason: "not a variable's name" });
      else if (steersPrograms(name)) skipped.push({ name, reason: "changes how programs start" });
      else if (value.includes("\0") || value.includes("\r")) {
        skipped.push({ name, reason: "has control characters" });
      } else if (hidden && !options["include-secrets"]) skipped.push({ name, reason: "secret" });
      else if (local.get(name) === value) unchanged += 1;
      else written.set(name, value);
    }
    if (written.size > 0) {
      await writeEnvFile(path, withVariables(text, written)).catch((error: unknown) => {
        if (systemErrorCode(error) === undefined) throw error;
        const details = `.env.local can't be written: ${writeErrorWords(error)}`;
        throw catalogError("E006", { details });
      });
    }
    const names = [...written.keys()];
    const answer = {
      store: store.place,
      project: key,
      label,
      file: path,
      written: names,
      unchanged,
      skipped,
    };
    await output.data(answer, () => [
      ...names.map((name) => shown`${output.tone("good", "✓")} ${name}`),
      ...skipped.map(({ name, reason }) => shown`– ${name} (${reason})`),
    ]);
    await output.note(
      settings.length === 0
        ? shown`The store ${store.place} has no variables of ${key} with the label ${label}`
        : shown`${counted(names.length, "variable")} written to .env.local, ${unchanged} unchanged`,
    );
  },
});
