import type { Environment } from "#cli/environment.ts";
import { runProgram } from "#cli/run.ts";
import { version } from "#lib/version.ts";
import type { Terminal } from "#ui/terminal.ts";
import { createContext } from "./context.ts";
import { commandTable } from "./registry.ts";

/** Hidden: what the platform starts to read a document's text in a process of its own. */
const extractionWord = "__extract";

/** Runs the program as `environment` describes it; resolves to the exit code, never rejects. */
export async function runSvc(
  environment: Environment,
  openTerminal?: () => Terminal,
): Promise<number> {
  if (environment.argv[0] === extractionWord) {
    const { runExtractionChild } = await import("#server/text/extraction/child.ts");
    return runExtractionChild({
      arguments: environment.argv.slice(1),
      write: (line) => environment.stdout.write(line),
    });
  }
  return runProgram(environment, {
    table: commandTable,
    version,
    createContext: (called, output, global) => createContext(called, output, global, openTerminal),
    openDashboard: async (context) => {
      const { openDashboard } = await import("./dashboard.ts");
      return openDashboard(context);
    },
  });
}
