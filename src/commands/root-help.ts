import { tableHelp } from "#cli/help.ts";
import { commandTable } from "./registry.ts";

const columns = 80;

/** The program's help page. `src/main.ts` imports it as a macro, so the build computes it. */
export function rootHelp(): string {
  return tableHelp(commandTable, undefined, columns);
}
