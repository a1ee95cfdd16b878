import { tableHelp } from "#cli/pages/help.ts";
import { version } from "#lib/version.ts";
import { commandFacts } from "./facts.ts";

const columns = 80;

/** The program's help page. `src/main.ts` imports it as a macro, so the build computes it. */
export async function rootHelp(): Promise<string> {
  return tableHelp(await commandFacts(), undefined, columns);
}

/** The version, also computed by the build: a module of its own would be loaded for it. */
export function programVersion(): string {
  return version;
}
