import { shown } from "#cli/shown.ts";
import { catalogError, exitCodes } from "#contract/errors.ts";
import { join } from "node:path";
import { readRegularFile } from "#lib/files/regular-file.ts";
import { filledText, membersOf, parsedJson } from "#lib/json/value.ts";
import { systemErrorCode } from "#lib/system-error.ts";
import { command } from "./kit/command.ts";
import { runChild } from "./kit/run-child.ts";
import { requireProject } from "./kit/input/project.ts";
import { isSecret } from "./kit/env/secrets.ts";

const maximumBytes = 1024 * 1024;

/** `svc dev`: runs the development server of a project (spec 4.7). */
export default command({
  path: "dev",
  summary: "Run the project's development server",
  description:
    "Checks the project first, then runs the script `dev` of its package.json with PORT and " +
    "BASE_URL_PUBLIC_API set. No token and no other secret of the environment reaches it, unless " +
    "--with-token is given. The pages of the template reload when a file changes, unless " +
    "--no-turbo is given.",
  arguments: [],
  formats: false,
  options: {
    port: {
      type: "number",
      minimum: 0,
      maximum: 65_535,
      default: 3000,
      description: "Port of the server; 0 takes a free one",
    },
    turbo: {
      type: "boolean",
      negatable: true,
      default: true,
      description: "Reload pages when a file changes (SVC_DEV_TURBO)",
    },
    "skip-checks": { type: "boolean", description: "Start without the checks" },
    "with-token": {
      type: "boolean",
      description: "Give the script your access token (SVC_TOKEN): only to code that you trust",
    },
  },
  examples: ["svc dev", "svc dev --port 4000 --no-turbo --skip-checks"],
  runsAnother: true,
  trials: [],
  async run(input, context) {
    const { environment, output, signal } = context;
    const { port, turbo } = input.options;
    const { root } = await requireProject(context);
    const script = await devScript(root);
    if (!input.options["skip-checks"]) await checkProject(root, port);
    const { baseUrl, baseUrlTrusted } = await context.settings();
    if (!baseUrlTrusted) {
      await output.note(shown`The address ${baseUrl.value} comes from the project's .env.local`);
    }
    // It refuses an address that only the project names.
    const token = input.options["with-token"] ? await (await context.session()).token() : undefined;
    await output.note(shown`Running ${script} in ${root}`);
    const [program = ""] = environment.selfCommand;
    const code = await runChild(context, [program, "run", "dev"], {
      currentDirectory: root,
      variables: devVariables(environment.variables, {
        port,
        turbo: turbo !== false,
        baseUrl: baseUrl.value,
        token,
      }),
    });
    if (signal.aborted) return exitCodes.interrupted;
    if (code === 0) return exitCodes.done;
    throw catalogError("E005", {}, { hint: `The script \`dev\` ended with exit code ${code}` });
  },
});

/** The script `dev` of a project. Throws E003 or E005 without one. */
async function devScript(root: string): Promise<string> {
  const manifest = await projectManifest(root);
  const script = filledText(membersOf(manifest?.get("scripts"))?.get("dev"));
  if (script !== undefined) return script;
  throw catalogError("E005", {}, { hint: "package.json has no script `dev`" });
}

/** The members of package.json. Throws E003 without it. */
async function projectManifest(root: string): Promise<ReadonlyMap<string, unknown> | undefined> {
  const path = join(root, "package.json");
  const bytes = await readRegularFile(path, maximumBytes).catch((error: unknown) => {
    if (systemErrorCode(error) === "ENOENT") throw catalogError("E003", { file: path });
    return undefined;
  });
  return bytes && membersOf(parsedJson(new TextDecoder().decode(bytes)));
}

/** Throws E005 for missing packages or Object Types, and E205 for a port in use. */
async function checkProject(root: string, port: number): Promise<void> {
  const manifest = await projectManifest(root);
  for (const name of Object.keys(
    Object.fromEntries(membersOf(manifest?.get("dependencies")) ?? []),
  )) {
    if (await Bun.file(join(root, "node_modules", name, "package.json")).exists()) continue;
    const hint = `The package ${name} is not installed: run \`npm install\`, or use --skip-checks`;
    throw catalogError("E005", {}, { hint });
  }
  const folder = join(root, "src/eai.config");
  const found = await Promise.all(
    ["object-types.ts", "object-types.json"].map((name) => Bun.file(join(folder, name)).exists()),
  );
  if (!found.includes(true)) throw catalogError("E004");
  if (port === 0) return;
  try {
    Bun.listen({ hostname: "127.0.0.1", port, socket: { data: () => undefined } }).stop(true);
  } catch {
    const details = `port ${port} is in use`;
    throw catalogError("E205", { details }, { hint: "Choose another one with --port" });
  }
}

/** The environment of the server: no secret except the token that is given. */
export function devVariables(
  variables: Readonly<Record<string, string | undefined>>,
  facts: {
    readonly port: number;
    readonly turbo: boolean;
    readonly baseUrl: string;
    readonly token?: string | undefined;
  },
): Record<string, string> {
  const kept = Object.entries(variables).flatMap(([name, value]) =>
    value === undefined || name === "SVC_CONFIG_DIR" || isSecret(name, value)
      ? []
      : [[name, value] as const],
  );
  return {
    ...Object.fromEntries(kept),
    PORT: String(facts.port),
    BASE_URL_PUBLIC_API: facts.baseUrl,
    SVC_DEV_TURBO: facts.turbo ? "1" : "0",
    ...(facts.token === undefined ? {} : { SVC_TOKEN: facts.token }),
    // The executable then acts as its runtime, which runs the script without Node.
    BUN_BE_BUN: "1",
  };
}
