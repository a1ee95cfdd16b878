import { join } from "node:path";
import { finished } from "../../scripts/build/finished.ts";
import { userEnvironment } from "./environment.ts";

/** A platform that runs until `stop`, on a free loopback port. */
export interface RunningPlatform extends AsyncDisposable {
  readonly url: string;
  readonly authUrl: string;
  readonly dataDir: string;
  readonly pid: number;
  /** Its exit code, once it has ended. */
  readonly exited: Promise<number>;
  /** An access token for the first user, or for the one with this e-mail address; for 1 h. */
  token(email?: string, ttl?: string): Promise<string>;
  /** The text of its stderr so far. */
  stderr(): string;
  /** SIGTERM or SIGHUP, which drain; answers the exit code. */
  stop(signal?: "SIGTERM" | "SIGHUP"): Promise<number>;
  /** SIGKILL, as a power cut would. */
  kill(): Promise<void>;
}

export interface PlatformProcessOptions {
  readonly executable: string;
  readonly dataDir: string;
  readonly home: string;
  /** The port to listen on; a free one without. */
  readonly port?: number;
  readonly args?: readonly string[];
  /** A shell redirection, e.g. `2>/dev/null`. */
  readonly redirection?: string;
  /** A shell command to run first, e.g. `trap '' HUP`. */
  readonly preparation?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
}

interface Listening {
  readonly url: string;
  readonly authUrl: string;
  readonly pid: number;
}

/** The sample data of a first start take longer on a machine with other work. */
const startLimitMs = 120_000;
const stopLimitMs = 20_000;

/** Starts `svc serve` on a free loopback port, and resolves once it says that it listens. */
export async function startPlatformProcess(
  options: PlatformProcessOptions,
): Promise<RunningPlatform> {
  const { executable, dataDir, home, args = [] } = options;
  const database = databaseArguments(args);
  const ownKey = database.length > 0 ? { SVC_KEY_FILE: join(dataDir, "svc.key") } : {};
  const env = { ...ownKey, ...options.env };
  const command = [
    "serve",
    `--port=${options.port ?? 0}`,
    `--data-dir=${dataDir}`,
    "--format=json",
    ...args,
  ];
  const { redirection = "", preparation = "true" } = options;
  const isPlain = options.redirection === undefined && options.preparation === undefined;
  const shell = isPlain ? [] : ["sh", "-c", `${preparation}; exec "$0" "$@" ${redirection}`];
  const child = Bun.spawn([...shell, executable, ...command], {
    cwd: home,
    env: userEnvironment(home, env),
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  let stderr = "";
  let stdout = "";
  const reading = readAll(child.stderr, (text) => (stderr += text));
  const timer = setTimeout(() => child.kill("SIGKILL"), startLimitMs);
  const line = await firstLine(child.stdout, (text) => (stdout += text));
  // A failure is JSON in several lines.
  if (line === undefined || line === "{") {
    const exitCode = await child.exited;
    clearTimeout(timer);
    await reading;
    throw new Error(`svc serve ended with exit code ${exitCode}:\n${stdout}${stderr}`);
  }
  clearTimeout(timer);
  const { url, authUrl, pid }: Listening = JSON.parse(line);
  const end = async (signal: "SIGTERM" | "SIGHUP" | "SIGKILL"): Promise<number> => {
    child.kill(signal);
    const late = setTimeout(() => child.kill("SIGKILL"), stopLimitMs);
    const exitCode = await child.exited;
    clearTimeout(late);
    await reading;
    return exitCode;
  };
  return {
    url,
    authUrl,
    dataDir,
    pid,
    exited: child.exited,
    stderr: () => stderr,
    async token(email, ttl = "1h") {
      const whose = email === undefined ? [] : [`--email=${email}`];
      const command = ["serve", "token", `--ttl=${ttl}`, `--data-dir=${dataDir}`, "--format=json"];
      const minting = Bun.spawn([executable, ...command, ...database, ...whose], {
        cwd: home,
        env: userEnvironment(home, env),
        stdio: ["ignore", "pipe", "pipe"],
        timeout: startLimitMs,
      });
      const { stdout, stderr: errors, exitCode } = await finished(minting);
      if (exitCode !== 0) throw new Error(`svc serve token gave none:\n${stdout}${errors}`);
      const { token }: { token: string } = JSON.parse(stdout);
      return token;
    },
    stop: (signal = "SIGTERM") => end(signal),
    kill: async () => void (await end("SIGKILL")),
    [Symbol.asyncDispose]: async () => {
      if (child.exitCode === null && child.signalCode === null) await end("SIGTERM");
    },
  };
}

/** Where the platform keeps its tables, for the commands that use the same data. */
function databaseArguments(args: readonly string[]): string[] {
  return args.filter(
    (arg, index) =>
      arg.startsWith("--database-url") ||
      (args[index - 1] === "--database-url" && !arg.startsWith("--")),
  );
}

async function readAll(
  stream: ReadableStream<Uint8Array>,
  take: (text: string) => void,
): Promise<void> {
  const decoder = new TextDecoder();
  for await (const chunk of stream) take(decoder.decode(chunk, { stream: true }));
}

/** The first line of a stream, whose rest is then read and dropped; undefined when it has none. */
function firstLine(
  stream: ReadableStream<Uint8Array>,
  take: (text: string) => void,
): Promise<string | undefined> {
  return new Promise((resolve) => {
    let text = "";
    const reading = readAll(stream, (more) => {
      text += more;
      take(more);
      const end = text.indexOf("\n");
      if (end >= 0) resolve(text.slice(0, end));
    });
    void reading.then(() => resolve(undefined));
  });
}
