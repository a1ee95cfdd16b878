import { shown } from "#cli/shown.ts";
import { textOption } from "#cli/command.ts";
import { counted } from "#lib/text/counted.ts";
import { catalogError } from "#contract/errors.ts";
import { command } from "../kit/command.ts";
import { requireProject } from "../kit/input/project.ts";
import { envFileOf, openStore, storeKey, storeWords } from "../kit/env/store.ts";

export default command({
  path: "env push",
  summary: "Send variables of .env.local to the configuration store",
  description:
    "Other variables in the store stay. A secret is sent only when --key names it, and is marked " +
    `there. ${storeWords}`,
  arguments: [],
  options: {
    label: { ...textOption("label", "Label in the store"), default: "dev" },
    key: { ...textOption("name", "Only this variable, also a secret"), repeatable: true },
  },
  answer: ({ z }) =>
    z.strictObject({
      store: z.string(),
      project: z.string(),
      label: z.string(),
      pushed: z.array(z.string()),
      skipped: z.array(z.looseObject({ name: z.string() })),
    }),
  examples: ["svc env push", "svc env push --label test --key API_TOKEN"],
  trials: ["--key COLOUR"],
  async run(input, context) {
    const { output } = context;
    const { label, key: named } = input.options;
    const [{ checkLabel }, { parseEnv }, { isSecret }] = await Promise.all([
      import("#local/env/store.ts"),
      import("#local/env/file.ts"),
      import("../kit/env/secrets.ts"),
    ]);
    checkLabel(label, "--label");
    const project = await requireProject(context);
    const variables = parseEnv((await envFileOf(project)).text);
    for (const name of named) {
      if (variables.has(name)) continue;
      throw catalogError("E202", { resource: `Variable "${name}" in .env.local` });
    }
    const all = [...variables]
      .filter(([name]) => named.length === 0 || named.includes(name))
      .map(([name, value]) => ({ name, value, isSecret: isSecret(name, value) }));
    const sent = all.filter((one) => !one.isSecret || named.length > 0);
    const skipped = all
      .filter((one) => !sent.includes(one))
      .map(({ name }) => ({ name, reason: "secret" }));
    const [store, key] = await Promise.all([openStore(context), storeKey(context, project)]);
    if (sent.length > 0) await store.write(key, label, sent);
    const pushed = sent.map(({ name }) => name);
    const answer = { store: store.place, project: key, label, pushed, skipped };
    await output.data(answer, () => [
      ...pushed.map((name) => shown`${output.tone("good", "✓")} ${name}`),
      ...skipped.map(({ name }) => shown`– ${name} (secret: name it with --key)`),
    ]);
    await output.note(
      shown`${counted(pushed.length, "variable")} sent to ${store.place} as ${label}`,
    );
  },
});
