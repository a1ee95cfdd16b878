import { tableHelp } from "#cli/pages/help.ts";
import { version } from "#lib/version.ts";
import { commandFacts } from "./facts.ts";

const columns = 80;

/** The program's help page. `src/main.ts` imports it as a macro, so the build computes it. */
export async function rootHelp(): Promise<string> {
  return tableHelp(await commandFacts(), undefined, columns);
}

/** The version, as text that the build puts into its caller, which then loads no other module. */
export function programVersion(): string {
  return version;
}
