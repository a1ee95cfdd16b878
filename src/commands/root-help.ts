import { tableHelp } from "#cli/help.ts";
import { commandTable } from "./registry.ts";

/** Columns of the program's own help page. */
const width = 80;

/**
 * The program's own help page. `src/main.ts` imports it as a macro, so that it is computed when the
 * executable is built and `svc --help` loads no command at all.
 */
export function rootHelp(): string {
  return tableHelp(commandTable, undefined, width);
}
