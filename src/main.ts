/**
 * argv -> exit code; the only file that touches `process`. Just this file runs for `--version`;
 * everything else is imported when it is needed.
 */
import { rootHelp } from "#commands/root-help.ts" with { type: "macro" };
import { version } from "#lib/version.ts";
import type { Environment, OutputStream } from "#cli/environment.ts";
import type { Terminal } from "#ui/terminal.ts";

/** A failure that no code foresaw ends the program at once and never prints the error itself. */
const unforeseenExitCode = 70;

// Development builds of React look for a debugger when DEV is set by the user's shell; chalk knows
// FORCE_COLOR but not NO_COLOR, and reads it when it is imported.
delete process.env["DEV"];
if ((process.env["NO_COLOR"] ?? "") !== "") process.env["FORCE_COLOR"] = "0";

let failureListener: ((error: unknown) => void) | undefined;

function failHard(error: unknown): void {
  if (failureListener !== undefined) return failureListener(error);
  process.stderr.write("svc: something unexpected happened; run again with SVC_DEBUG=1\n");
  if (process.env["SVC_DEBUG"] !== "1" || !(error instanceof Error)) {
    process.exit(unforeseenExitCode);
  }
  void import("#lib/redact.ts").then(({ redact }) => {
    process.stderr.write(redact(`svc: debug: ${error.name}: ${error.message}\n`));
    process.exit(unforeseenExitCode);
  });
}

process.on("uncaughtException", failHard);
process.on("unhandledRejection", failHard);

/**
 * What stands behind a descriptor. Node's module for terminals costs more than a whole short
 * command, and `process.stdin` and its like open streams when they are first touched: so the cheap
 * question comes first, and in a pipe it is the last one.
 */
async function kindOf(descriptor: 0 | 1 | 2): Promise<"terminal" | "null device" | "other"> {
  try {
    const facts = await Bun.file(descriptor).stat();
    if (!facts.isCharacterDevice()) return "other";
    // Linux: major number 1 is /dev/null and its kin, where scripts send what they do not want; the
    // runtime puts it where a descriptor was closed.
    if (process.platform === "linux" && facts.rdev >> 8 === 1) {
      return (facts.rdev & 0xff) === 3 ? "null device" : "other";
    }
  } catch {
    return "other";
  }
  const { isatty } = await import("node:tty");
  return isatty(descriptor) ? "terminal" : "other";
}

async function outputStream(descriptor: 1 | 2): Promise<OutputStream> {
  const file = descriptor === 1 ? Bun.stdout : Bun.stderr;
  const kind = await kindOf(descriptor);
  const onTerminal = kind === "terminal";
  return {
    isTerminal: onTerminal,
    isDiscarded: kind === "null device",
    get columns() {
      if (!onTerminal) return 80;
      const { columns } = descriptor === 1 ? process.stdout : process.stderr;
      return columns > 0 ? columns : 80;
    },
    // Bun.write loops over short writes and waits for a slow pipe; stream.write followed by an
    // exit loses what the pipe has not taken yet.
    write: async (chunk) => {
      if (chunk.length > 0) await Bun.write(file, chunk);
    },
  };
}

const interrupted = 130;
/** What the process ends with once the signal has stopped its work: 128 and the signal's number. */
let signalExitCode: number | undefined;

/** Services and cron jobs may have no HOME: then what the system knows of the user. */
async function homeDirectory(): Promise<string> {
  const named = process.env["HOME"] || process.env["USERPROFILE"];
  if (named !== undefined && named !== "") return named;
  const { userInfo } = await import("node:os");
  try {
    return userInfo().homedir || process.cwd();
  } catch {
    // A container may run under a number that has no user.
    return process.cwd();
  }
}

/**
 * Whether it was started to outlive its terminal, as `nohup` does: to listen for SIGHUP would undo
 * that. Only Linux tells; elsewhere it is taken to be so.
 */
async function ignoresHangUp(): Promise<boolean> {
  try {
    const status = await Bun.file("/proc/self/status").text();
    // A mask in hexadecimal digits; SIGHUP is the signal with the lowest number.
    const lowest = /^SigIgn:\s*[0-9a-f]*([0-9a-f])$/m.exec(status)?.[1];
    return lowest === undefined || Number.parseInt(lowest, 16) % 2 === 1;
  } catch {
    return true;
  }
}

async function createEnvironment(): Promise<Environment> {
  const aborter = new AbortController();
  const stop = (exitCode: number) => (): void => {
    // Whoever asks twice does not want to wait for an orderly end.
    if (signalExitCode !== undefined) process.exit(exitCode);
    signalExitCode = exitCode;
    aborter.abort();
  };
  process.on("SIGINT", stop(interrupted));
  process.on("SIGTERM", stop(143));
  let isListening = false;
  const listenForHangUp = (): void => {
    if (isListening) return;
    isListening = true;
    process.on("SIGHUP", () => {
      // A terminal that is closed sends it twice, and nobody asks for haste by that.
      if (signalExitCode === undefined) stop(129)();
    });
  };
  const [ignoring, stdin, stdout, stderr] = await Promise.all([
    ignoresHangUp(),
    kindOf(0),
    outputStream(1),
    outputStream(2),
  ]);
  if (!ignoring) listenForHangUp();
  const compiled = import.meta.path.startsWith("/$bunfs/") || import.meta.path.includes("~BUN");
  return {
    argv: process.argv.slice(2),
    variables: process.env,
    currentDirectory: process.cwd(),
    homeDirectory: await homeDirectory(),
    selfCommand: compiled ? [process.execPath] : [process.execPath, import.meta.path],
    platform: process.platform,
    processId: process.pid,
    stdin: {
      isTerminal: stdin === "terminal",
      stream: () => Bun.stdin.stream(),
    },
    stdout,
    stderr,
    signal: aborter.signal,
    stopExitCode: () => signalExitCode,
    atExit: (handler) => {
      process.on("exit", handler);
      // SIGHUP would end the process before anything is cleared away.
      listenForHangUp();
    },
  };
}

/** Longer than a signal takes to arrive; it passes once the process goes on. */
const stoppedMs = 100;

/**
 * Stops the whole job, as Ctrl-Z does for a program that leaves it to the terminal: a shell takes
 * the terminal back only when what it started (npm, a script) stands still as well. The system
 * ignores it where no shell is there that could let the job go on.
 */
function stopGroup(): void {
  const handlers = process.listeners("SIGTSTP");
  for (const handler of handlers) process.off("SIGTSTP", handler);
  process.kill(0, "SIGTSTP");
  const listenAgain = () => {
    for (const handler of handlers) process.on("SIGTSTP", handler);
  };
  setTimeout(listenAgain, stoppedMs).unref();
}

function createTerminal(): Terminal {
  const listen = (event: string, handler: () => void) => {
    process.on(event, handler);
    return () => process.off(event, handler);
  };
  return {
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    env: process.env,
    platform: process.platform,
    onSignal: listen,
    onExit: (handler) => listen("exit", handler),
    onFailure: (handler) => {
      failureListener = handler;
      return () => {
        failureListener = undefined;
      };
    },
    stop: stopGroup,
    measure: () => process.kill(process.pid, "SIGWINCH"),
    exit: (code) => process.exit(code),
  };
}

/** Prints a page that needs no command; nobody reading it is no failure. */
async function print(page: string): Promise<number> {
  try {
    await Bun.write(Bun.stdout, `${page}\n`);
    return 0;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EPIPE") return 0;
    process.stderr.write("svc: stdout could not be written\n");
    return 1;
  }
}

async function main(): Promise<number> {
  const words = process.argv.slice(2);
  const [word] = words;
  if (words.length === 1 && (word === "--version" || word === "-V")) return print(version);
  if (words.length === 1 && (word === "--help" || word === "-h")) return print(rootHelp());
  const { runSvc } = await import("#commands/run.ts");
  const exitCode = await runSvc(await createEnvironment(), createTerminal);
  return exitCode === interrupted ? (signalExitCode ?? exitCode) : exitCode;
}

// Never awaited at the top level: after an uncaught error Bun would live on in raw mode.
void main().then((code) => process.exit(code), failHard);
