import { afterAll } from "vitest";
import { cleanEnvironment } from "./environment.ts";
import { askRun } from "./run.ts";
import { temporaryDirectory } from "./temporary.ts";

export interface SvcOptions {
  /** Laid over `cleanEnvironment()`; `undefined` removes a name. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** What the program reads; without it, its input is empty. */
  readonly stdin?: string | Uint8Array<ArrayBuffer>;
  readonly cwd?: string;
  /**
   * The user's home, which holds sign-in and profiles: pass the same one to calls that
   * belong together. Without it each call has an empty one.
   */
  readonly home?: string;
  /** After which the program is killed and the call fails; 30,000 unless given. */
  readonly timeoutMs?: number;
}

export interface SvcResult {
  readonly stdout: string;
  /** stdout as it came, for downloads. */
  readonly bytes: Uint8Array;
  readonly stderr: string;
  readonly exitCode: number;
}

/** A platform that runs until `stop`, on a free loopback port. */
export interface RunningPlatform extends AsyncDisposable {
  readonly url: string;
  readonly authUrl: string;
  readonly dataDir: string;
  readonly pid: number;
  /** An access token for the first user, or for the one with this e-mail address. */
  token(email?: string): Promise<string>;
  /** What it has written to stderr so far. */
  stderr(): string;
  /** SIGTERM, which drains; answers the exit code. */
  stop(): Promise<number>;
  /** SIGKILL, as a power cut would. */
  kill(): Promise<void>;
}

export interface PlatformOptions {
  /** Kept by the caller, for a platform that is started again; a temporary one unless given. */
  readonly dataDir?: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string | undefined>>;
}

const START_LIMIT_MS = 30_000;
const STOP_LIMIT_MS = 20_000;
const running = new Set<Bun.Subprocess>();

afterAll(async () => {
  for (const child of running) child.kill("SIGKILL");
  await Promise.all([...running].map((child) => child.exited));
});

let executable: Promise<string> | undefined;

/** The path of dist/svc, built first when the sources have changed. */
export function svcExecutable(): Promise<string> {
  executable ??= askRun("POST", "/executable").then(({ path }) => String(path));
  return executable;
}

/** The environment of a user whose home is `home`, and who is not signed in elsewhere. */
export function userEnvironment(
  home: string,
  extra: Readonly<Record<string, string | undefined>> = {},
): Record<string, string> {
  return cleanEnvironment({ HOME: home, SVC_CONFIG_DIR: `${home}/.svc`, ...extra });
}

/** Runs the compiled program with its streams in pipes, to its end. */
export async function svc(args: readonly string[], options: SvcOptions = {}): Promise<SvcResult> {
  const { env, stdin, timeoutMs = 30_000 } = options;
  const home = options.home ?? (await temporaryDirectory("home"));
  const child = Bun.spawn([await svcExecutable(), ...args], {
    cwd: options.cwd ?? home,
    env: userEnvironment(home, env),
    stdin: stdin === undefined ? "ignore" : new Blob([stdin]),
    stdout: "pipe",
    stderr: "pipe",
  });
  running.add(child);
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    child.kill("SIGKILL");
  }, timeoutMs);
  const [bytes, stderr, exitCode] = await Promise.all([
    child.stdout.bytes(),
    child.stderr.text(),
    child.exited,
  ]);
  clearTimeout(timer);
  running.delete(child);
  const stdout = new TextDecoder().decode(bytes);
  if (timedOut) {
    throw new Error(`svc ${args.join(" ")} ran for more than ${timeoutMs} ms:\n${stdout}${stderr}`);
  }
  return { stdout, bytes, stderr, exitCode };
}

/** Starts `svc serve` as its own process, and resolves once it says that it listens. */
export async function startPlatform(options: PlatformOptions = {}): Promise<RunningPlatform> {
  const dataDir = options.dataDir ?? (await temporaryDirectory("platform"));
  const home = await temporaryDirectory("home");
  const { args = [], env } = options;
  const child = Bun.spawn(
    [await svcExecutable(), "serve", "--port=0", `--data-dir=${dataDir}`, "--format=json", ...args],
    { cwd: home, env: userEnvironment(home, env), stdin: "ignore", stdout: "pipe", stderr: "pipe" },
  );
  running.add(child);
  let stderr = "";
  const reading = readAll(child.stderr, (text) => (stderr += text));
  const timer = setTimeout(() => child.kill("SIGKILL"), START_LIMIT_MS);
  const line = await firstLine(child.stdout);
  clearTimeout(timer);
  if (line === undefined) {
    const exitCode = await child.exited;
    await reading;
    running.delete(child);
    throw new Error(`svc serve ended with exit code ${exitCode}:\n${stderr}`);
  }
  const { url, authUrl, pid } = readListening(line);
  const end = async (signal: "SIGTERM" | "SIGKILL"): Promise<number> => {
    child.kill(signal);
    const late = setTimeout(() => child.kill("SIGKILL"), STOP_LIMIT_MS);
    const exitCode = await child.exited;
    clearTimeout(late);
    await reading;
    running.delete(child);
    return exitCode;
  };
  const platform: RunningPlatform = {
    url,
    authUrl,
    dataDir,
    pid,
    stderr: () => stderr,
    async token(email) {
      const whose = email === undefined ? [] : ["--email", email];
      const database = args.includes("--database-url")
        ? ["--database-url", args[args.indexOf("--database-url") + 1] ?? ""]
        : [];
      const minted = await svc(
        ["serve", "token", "--data-dir", dataDir, "--format", "json", ...database, ...whose],
        { env: env ?? {} },
      );
      if (minted.exitCode !== 0) throw new Error(`no token: ${minted.stdout}${minted.stderr}`);
      const { token }: { token: string } = JSON.parse(minted.stdout);
      return token;
    },
    stop: () => end("SIGTERM"),
    kill: async () => void (await end("SIGKILL")),
    [Symbol.asyncDispose]: async () => {
      if (child.exitCode === null && child.signalCode === null) await end("SIGTERM");
    },
  };
  return platform;
}

function readListening(line: string): { url: string; authUrl: string; pid: number } {
  const { url, authUrl, pid }: { url: string; authUrl: string; pid: number } = JSON.parse(line);
  return { url, authUrl, pid };
}

async function readAll(
  stream: ReadableStream<Uint8Array>,
  take: (text: string) => void,
): Promise<void> {
  const decoder = new TextDecoder();
  for await (const chunk of stream) take(decoder.decode(chunk, { stream: true }));
}

/** The first line of a stream, whose rest is then read and dropped; undefined when it has none. */
async function firstLine(stream: ReadableStream<Uint8Array>): Promise<string | undefined> {
  return new Promise((resolve) => {
    let text = "";
    const reading = readAll(stream, (more) => {
      text += more;
      const end = text.indexOf("\n");
      if (end >= 0) resolve(text.slice(0, end));
    });
    void reading.then(() => resolve(undefined));
  });
}
