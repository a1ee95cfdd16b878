import { tableHelp } from "#cli/pages/help.ts";
import { commandFacts } from "./facts.ts";

const columns = 80;

/** The program's help page. `src/main.ts` imports it as a macro, so the build computes it. */
export async function rootHelp(): Promise<string> {
  return tableHelp(await commandFacts(), undefined, columns);
}
