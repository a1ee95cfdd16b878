/** argv -> exit code; the only file that touches `process`. It imports the rest when needed. */
import { programVersion, rootHelp } from "#commands/root-help.ts" with { type: "macro" };
import type { Environment, OutputStream } from "#cli/environment.ts";
import type { Terminal } from "#ui/terminal.ts";

// The build of a release replaces both names by texts; elsewhere there are none.
declare const svcReleaseKey: string;
declare const svcReleaseTarget: string;

/** Exit code of an unexpected failure. The error itself is never printed. */
const unexpectedExitCode = 1;

// React's development build looks for a debugger when the user's shell sets DEV. chalk knows
// FORCE_COLOR but not NO_COLOR, and reads it at import.
delete process.env["DEV"];
if ((process.env["NO_COLOR"] ?? "") !== "") process.env["FORCE_COLOR"] = "0";

let failureListener: ((error: unknown) => void) | undefined;

function failHard(error: unknown): void {
  if (failureListener !== undefined) return failureListener(error);
  process.stderr.write("svc: unexpected error; run again with SVC_DEBUG=1 for details\n");
  if (process.env["SVC_DEBUG"] !== "1" || !(error instanceof Error)) {
    process.exit(unexpectedExitCode);
  }
  void import("#lib/text/redact.ts").then(({ redact }) => {
    process.stderr.write(redact(`svc: debug: ${error.name}: ${error.message}\n`));
    process.exit(unexpectedExitCode);
  });
}

process.on("uncaughtException", failHard);
process.on("unhandledRejection", failHard);
// `main` ends the process itself. Without it nothing is left to wait for, and the exit would be 0.
process.on("beforeExit", () => failHard(new Error("the command ended without a result")));

type Descriptor = 0 | 1 | 2;

/** The runtime's own function of terminals, which `node:tty` calls too, but loads slowly. */
const { isTTY } = process.binding("tty_wrap") as { isTTY: (descriptor: Descriptor) => boolean };

/** False if it is surely not /dev/null, which the runtime also opens for a closed descriptor. */
function mayBeNullDevice(descriptor: Descriptor): boolean {
  if (process.platform !== "linux") return false;
  // Their times are an answer at once; the facts of a file are slow to load.
  return Bun.file(descriptor).lastModified === Bun.file("/dev/null").lastModified;
}

async function isNullDevice(descriptor: Descriptor): Promise<boolean> {
  if (!mayBeNullDevice(descriptor)) return false;
  try {
    const facts = await Bun.file(descriptor).stat();
    // Linux: major number 1 is a memory device, minor 3 is /dev/null.
    return facts.isCharacterDevice() && facts.rdev >> 8 === 1 && (facts.rdev & 0xff) === 3;
  } catch {
    return false;
  }
}

/** Linux sets this flag on no descriptor that a process was started with. */
const closeOnExec = 0o2000000;

/** True if the null device that the runtime has opened stands for a closed descriptor. */
async function wasClosed(descriptor: Descriptor): Promise<boolean> {
  if (!mayBeNullDevice(descriptor)) return false;
  try {
    const facts = await Bun.file(`/proc/self/fdinfo/${descriptor}`).text();
    const [, flags = "0"] = /^flags:\s*([0-7]+)/m.exec(facts) ?? [];
    return (Number.parseInt(flags, 8) & closeOnExec) !== 0;
  } catch {
    return false;
  }
}

async function outputStream(descriptor: 1 | 2): Promise<OutputStream> {
  const file = descriptor === 1 ? Bun.stdout : Bun.stderr;
  const onTerminal = isTTY(descriptor);
  // Messages without a reader are no failure; data are.
  const isClosed = descriptor === 1 && (await wasClosed(descriptor));
  return {
    isTerminal: onTerminal,
    isDiscarded: descriptor === 2 && (await isNullDevice(descriptor)),
    get columns() {
      if (!onTerminal) return 80;
      const { columns } = descriptor === 1 ? process.stdout : process.stderr;
      return columns > 0 ? columns : 80;
    },
    // Bun.write waits for a slow pipe; stream.write followed by an exit loses unwritten bytes.
    write: async (chunk) => {
      if (isClosed) throw Object.assign(new Error("stdout is closed"), { code: "EBADF" });
      if (chunk.length > 0) await Bun.write(file, chunk);
    },
  };
}

/** The exit code after SIGINT, SIGTERM and SIGHUP alike. */
const interrupted = 130;
let isStopping = false;
/** True if an editor has the terminal: its Ctrl-C reaches this process too. */
let isTerminalLent = false;

/** Runs work without the listeners of signals, whose default is to end the process. */
async function atDefaultSignals<Result>(work: () => Promise<Result>): Promise<Result> {
  const taken = (["SIGINT", "SIGTERM", "SIGHUP"] as const).map((signal) => {
    const listeners = process.listeners(signal);
    for (const listener of listeners) process.off(signal, listener);
    return { signal, listeners };
  });
  try {
    return await work();
  } finally {
    for (const { signal, listeners } of taken) {
      for (const listener of listeners) process.on(signal, listener);
    }
  }
}

/** The terminal itself still edits the line and makes signals of Ctrl-C. */
async function unseen<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
  const setEcho = (word: "echo" | "-echo"): boolean => {
    try {
      return Bun.spawnSync(["stty", word], { stdio: ["inherit", "ignore", "ignore"] }).success;
    } catch {
      return false;
    }
  };
  if (!setEcho("-echo")) return undefined;
  try {
    return await work();
  } finally {
    setEcho("echo");
  }
}

/** HOME, or the user record's directory: services and cron jobs may have no HOME. */
async function homeDirectory(): Promise<string> {
  const named = process.env["HOME"] || process.env["USERPROFILE"];
  if (named !== undefined && named !== "") return named;
  const { userInfo } = await import("node:os");
  try {
    return userInfo().homedir || process.cwd();
  } catch {
    // A container may run under a user ID that has no user record.
    return process.cwd();
  }
}

/** The release that this executable is; undefined for a build of a checkout. */
function releaseOf(): Environment["release"] {
  if (typeof svcReleaseKey !== "string") return undefined;
  return { executable: process.execPath, key: svcReleaseKey, target: svcReleaseTarget };
}

/** True if the parent ignores SIGHUP (`nohup`): a listener would undo that. Linux reports it. */
async function ignoresHangUp(): Promise<boolean> {
  try {
    const status = await Bun.file("/proc/self/status").text();
    // SigIgn is a hexadecimal mask; SIGHUP is its lowest bit.
    const lowest = /^SigIgn:\s*[0-9a-f]*([0-9a-f])$/m.exec(status)?.[1];
    return lowest === undefined || Number.parseInt(lowest, 16) % 2 === 1;
  } catch {
    return true;
  }
}

async function createEnvironment(): Promise<Environment> {
  const aborter = new AbortController();
  const stop = (): void => {
    // A second signal ends the process at once, without an orderly stop.
    if (isStopping) process.exit(interrupted);
    isStopping = true;
    aborter.abort();
  };
  let interruption: AbortController | undefined;
  process.on("SIGINT", () => {
    if (isTerminalLent) return;
    if (interruption === undefined || interruption.signal.aborted) stop();
    else interruption.abort();
  });
  process.on("SIGTERM", stop);
  let isListening = false;
  const listenForHangUp = (): void => {
    if (isListening) return;
    isListening = true;
    process.on("SIGHUP", () => {
      // A closing terminal sends SIGHUP twice; the second one is not a request to hurry.
      if (!isStopping) stop();
    });
  };
  const [ignoring, stdout, stderr] = await Promise.all([
    ignoresHangUp(),
    outputStream(1),
    outputStream(2),
  ]);
  if (!ignoring) listenForHangUp();
  const stdinOnTerminal = isTTY(0);
  const release = releaseOf();
  const compiled = import.meta.path.startsWith("/$bunfs/") || import.meta.path.includes("~BUN");
  return {
    argv: process.argv.slice(2),
    variables: process.env,
    currentDirectory: process.cwd(),
    homeDirectory: await homeDirectory(),
    selfCommand: compiled ? [process.execPath] : [process.execPath, import.meta.path],
    platform: process.platform,
    processId: process.pid,
    processUsage,
    ...(release && { release }),
    stdin: {
      isTerminal: stdinOnTerminal,
      stream: () => Bun.stdin.stream(),
      ...(stdinOnTerminal && process.platform !== "win32" ? { unseen } : {}),
    },
    stdout,
    stderr,
    signal: aborter.signal,
    atDefaultSignals,
    interruptible: async (work) => {
      interruption = new AbortController();
      try {
        return await work(AbortSignal.any([aborter.signal, interruption.signal]));
      } finally {
        interruption = undefined;
      }
    },
    atExit: (handler) => {
      process.on("exit", handler);
      // SIGHUP without a listener ends the process before the exit handlers run.
      listenForHangUp();
    },
  };
}

/** A signal arrives within this time. The timer runs after the process resumes. */
const stoppedMs = 100;

/** Stops the whole process group, as Ctrl-Z does: a shell waits for the process that it started. */
function stopGroup(): void {
  const handlers = process.listeners("SIGTSTP");
  for (const handler of handlers) process.off("SIGTSTP", handler);
  process.kill(0, "SIGTSTP");
  const listenAgain = () => {
    for (const handler of handlers) process.on("SIGTSTP", handler);
  };
  setTimeout(listenAgain, stoppedMs).unref();
}

/** chalk shows no colour where CI is set, also on a terminal. It reads the variable at import. */
function keepColours(): void {
  const { CI, FORCE_COLOR, COLORTERM, TERM = "" } = process.env;
  if (CI === undefined || FORCE_COLOR !== undefined) return;
  process.env["FORCE_COLOR"] = COLORTERM === "truecolor" ? "3" : /-256/.test(TERM) ? "2" : "1";
}

function createTerminal(): Terminal {
  keepColours();
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
    lend: (isLent) => {
      isTerminalLent = isLent;
    },
    stop: stopGroup,
    measure: () => process.kill(process.pid, "SIGWINCH"),
    exit: (code) => process.exit(code),
  };
}

/** Prints a page that needs no command. A reader that has gone is not a failure. */
async function print(page: string): Promise<number> {
  try {
    const stdout = await outputStream(1);
    await stdout.write(`${page}\n`);
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
  if (words.length === 1 && (word === "--version" || word === "-V")) return print(programVersion());
  if (words.length === 1 && (word === "--help" || word === "-h")) return print(await rootHelp());
  // The system answers the questions of the environment while the modules load.
  const [environment, { runSvc }] = await Promise.all([
    createEnvironment(),
    import("#commands/run.ts"),
  ]);
  return runSvc(environment, createTerminal);
}

// A top-level await would keep Bun running in raw mode after an uncaught error.
void main().then((code) => process.exit(code), failHard);

function processUsage(): ReturnType<Environment["processUsage"]> {
  const { user, system } = process.cpuUsage();
  return {
    userSeconds: user / 1_000_000,
    systemSeconds: system / 1_000_000,
    residentBytes: process.memoryUsage.rss(),
    uptimeSeconds: process.uptime(),
  };
}
