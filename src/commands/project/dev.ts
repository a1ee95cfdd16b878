import { join } from "node:path";
import { catalogError } from "#contract/errors.ts";
import { filledText, membersOf, parsedJson } from "#lib/json-value.ts";
import { isSecret } from "../env/secrets.ts";

const maximumBytes = 1024 * 1024;

/** The script `dev` of a project. Throws E003 or E005 without one. */
export async function devScript(root: string): Promise<string> {
  const file = Bun.file(join(root, "package.json"));
  if (!(await file.exists())) throw catalogError("E003", { file: join(root, "package.json") });
  const manifest = file.size > maximumBytes ? undefined : membersOf(parsedJson(await file.text()));
  const script = filledText(membersOf(manifest?.get("scripts"))?.get("dev"));
  if (script !== undefined) return script;
  throw catalogError("E005", {}, { hint: "package.json has no script `dev`" });
}

/** Throws E005 for missing packages or Object Types, and E205 for a port in use. */
export async function checkProject(root: string, port: number): Promise<void> {
  const manifest = membersOf(parsedJson(await Bun.file(join(root, "package.json")).text()));
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

/** The environment of the server: no token, and nothing that looks like a secret. */
export function devVariables(
  variables: Readonly<Record<string, string | undefined>>,
  facts: { readonly port: number; readonly turbo: boolean; readonly baseUrl: string },
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
    // The executable then acts as its runtime, which runs the script without Node.
    BUN_BE_BUN: "1",
  };
}
