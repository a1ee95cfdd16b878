import type { CommandTable } from "#cli/command.ts";
import type { Environment } from "#cli/environment.ts";
import type { SchemasOf } from "#cli/pages/describe.ts";
import { runProgram } from "#cli/run.ts";
import { ownMember } from "#lib/own-member.ts";
import { version } from "#lib/version.ts";
import type { Terminal } from "#ui/terminal.ts";
import { createContext, type ContextHost } from "./kit/context.ts";
import { loadCommand, plainPath } from "./load.ts";

/** Hidden: the platform starts it as a child process that extracts a document's text. */
const extractionWord = "__extract";

/** Hidden: a shell asks for the words that may follow. */
const completeWord = "__complete";

/** Runs the program in `environment`. Resolves to the exit code; never rejects. */
export async function runSvc(
  environment: Environment,
  openTerminal?: () => Terminal,
): Promise<number> {
  if (environment.argv[0] === extractionWord) {
    const { runExtractionChild } = await import("#server/text/extraction/child/run-child.ts");
    return runExtractionChild({
      arguments: environment.argv.slice(1),
      write: (line) => environment.stdout.write(line),
      input: () => environment.stdin.stream(),
    });
  }
  if (environment.argv[0] === "__backup") {
    const { runBackupChild } = await import("#server/platform/backup/schedule/backup-process.ts");
    return runBackupChild({
      write: (line) => environment.stdout.write(line),
      input: () => environment.stdin.stream(),
    });
  }
  if (environment.argv[0] === "__types") {
    const { runModuleChild } = await import("#local/object-types/module.ts");
    return runModuleChild({
      arguments: environment.argv.slice(1),
      write: (text) => environment.stdout.write(text),
    });
  }
  if (environment.argv[0] === completeWord) {
    const [{ printCandidates }, { commandTable }] = await Promise.all([
      import("./completion/print.ts"),
      import("./registry.ts"),
    ]);
    return printCandidates(environment, commandTable);
  }
  const table = await tableFor(environment);
  const host = {
    table: everything,
    schemas: loadSchemas,
    openTerminal,
    runSvc: (other: Environment): Promise<number> => runSvc(other, openTerminal),
    openImport: async (...asked: Parameters<ContextHost["openImport"]>) => {
      const { openFormImport } = await import("./resources/imports/form/form-import.ts");
      return openFormImport(...asked);
    },
  };
  return runProgram(environment, {
    table,
    version,
    load: loadCommand,
    sendsRequests: async (path) => (await loadCommand(path)).calls !== undefined,
    createContext: (called, output, global) => createContext(called, output, global, host),
    noteFailure: async (called, failure) => {
      const { noteLastError } = await import("./support/note-last-error.ts");
      await noteLastError(called, failure);
    },
    loadSchemas,
    openDashboard: async (context) => {
      const { openDashboard } = await import("./kit/dashboard/open.ts");
      return openDashboard(context);
    },
  });
}

async function everything(): Promise<CommandTable> {
  return (await import("./registry.ts")).commandTable;
}

/** All commands, the only one that the call can mean, or none for the dashboard. */
async function tableFor({ argv, stdin, stdout }: Environment): Promise<CommandTable> {
  if (argv.length === 0 && stdin.isTerminal && stdout.isTerminal) {
    return { groups: [], commands: [] };
  }
  const path = plainPath(argv);
  return path === undefined
    ? await everything()
    : { groups: [], commands: [await loadCommand(path)] };
}

/** The schemas of what each command prints, by its path. */
export async function loadSchemas(): Promise<SchemasOf> {
  const { answers, error } = (await import("./answers.ts")).printed;
  return (path) => ({ isLines: false, ...ownMember(answers, path), error });
}
