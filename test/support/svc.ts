import { existsSync } from "node:fs";
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { given } from "#lib/given.ts";
import { executable as builtExecutable } from "../../scripts/build/executable.ts";
import { buildEndFile } from "./announced-build.ts";
import { afterEveryFile } from "./cleanup.ts";
import { userEnvironment } from "./environment.ts";
import { startPlatformProcess, type RunningPlatform } from "./platform-process.ts";
import { askRun } from "./run.ts";
import { temporaryDirectory } from "./temporary.ts";

export interface SvcOptions {
  /** Laid over `cleanEnvironment()`; `undefined` removes a name. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The program's input; empty by default. */
  readonly stdin?: string | Uint8Array<ArrayBuffer>;
  readonly cwd?: string;
  /**
   * The user's home, which has sign-in and profiles: pass the same one to calls that
   * belong together. Without it each call has an empty one.
   */
  readonly home?: string;
  /** The time after which the program is killed and the call fails; 30,000 by default. */
  readonly timeoutMs?: number;
}

export interface SvcResult {
  readonly stdout: string;
  /** stdout as it came, for downloads. */
  readonly bytes: Uint8Array;
  readonly stderr: string;
  readonly exitCode: number;
}

export interface PlatformOptions {
  /** Kept by the caller, for a platform that is started again; a temporary one unless given. */
  readonly dataDir?: string;
  readonly args?: readonly string[];
  /** A shell redirection, e.g. `2>/dev/null`. */
  readonly redirection?: string;
  readonly preparation?: string;
  /**
   * The platform has the sample data, as `--demo` adds them; a run of tests makes them once. It has
   * one thread: others double the price of its start, for callers who come one at a time.
   */
  readonly hasSamples?: boolean;
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** The argument of platforms whose callers come one at a time. */
export const oneThread = "--threads=1";

const platforms: RunningPlatform[] = [];

// Stops the platforms of tests that failed before their `stop`.
afterEveryFile(async () => {
  await Promise.all(platforms.splice(0).map((platform) => platform.kill()));
});

let executable: Promise<string> | undefined;
let samples: Promise<string> | undefined;

/** The path of dist/svc, built first when the sources have changed. */
export function svcExecutable(): Promise<string> {
  executable ??= askRun("POST", "/executable").then(({ path }) => String(path));
  return executable;
}

/**
 * The command that reads documents, without the last compilers of JavaScript and WebAssembly: they
 * take a fifth of the time of a PDF, and a sixth of that of a page in a picture. The loops over the
 * dots of many pictures are faster with the second compiler of JavaScript.
 */
export async function extractionProgram({
  hasPictures = false,
}: { readonly hasPictures?: boolean } = {}): Promise<readonly string[]> {
  return extractionOf(await svcExecutable(), hasPictures);
}

function extractionOf(program: string, hasPictures: boolean): readonly string[] {
  const settings = ["BUN_JSC_useOMGJIT=0", ...(hasPictures ? [] : ["BUN_JSC_useDFGJIT=0"])];
  return ["/usr/bin/env", ...settings, program, "__extract"];
}

/** Returns the same command; where dist/svc is not built yet, the command waits for it. */
export async function soonExtractionProgram(): Promise<readonly string[]> {
  const end = buildEndFile();
  if (end === undefined || existsSync(end)) return await extractionProgram();
  const wait = `until [ -e "$0" ]; do sleep 0.1; done; exec "$@"`;
  return ["/bin/sh", "-c", wait, end, ...extractionOf(builtExecutable, false)];
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
  const stdout = new TextDecoder().decode(bytes);
  if (timedOut) {
    throw new Error(`svc ${args.join(" ")} ran for more than ${timeoutMs} ms:\n${stdout}${stderr}`);
  }
  return { stdout, bytes, stderr, exitCode };
}

/** Starts `svc serve` as its own process, and resolves once it says that it listens. */
export async function startPlatform(options: PlatformOptions = {}): Promise<RunningPlatform> {
  const dataDir = options.dataDir ?? (await temporaryDirectory("platform"));
  if (options.hasSamples === true) {
    samples ??= askRun("POST", "/samples").then(({ path }) => String(path));
    await cp(await samples, dataDir, { recursive: true });
  }
  const platform = await startPlatformProcess({
    executable: await svcExecutable(),
    dataDir,
    home: await temporaryDirectory("home"),
    args: [...(options.hasSamples === true ? [oneThread] : []), ...(options.args ?? [])],
    env: options.env ?? {},
    ...(options.redirection === undefined ? {} : { redirection: options.redirection }),
    ...(options.preparation === undefined ? {} : { preparation: options.preparation }),
  });
  platforms.push(platform);
  return { ...platform, token: (email) => mintedToken(platform, options, email) };
}

const tokenTtlMs = 60 * 60 * 1000;

/** Mints a token as `svc serve token` does, without its process, which takes ten times as long. */
async function mintedToken(
  platform: RunningPlatform,
  { args = [], env = {} }: PlatformOptions,
  email: string | undefined,
): Promise<string> {
  const places = args.filter((arg) => arg.startsWith("--database-url"));
  const databaseUrl = places[0]?.split("=").slice(1).join("=");
  if (places.length > 0 && !(places[0] ?? "").startsWith("--database-url=")) {
    return await platform.token(email);
  }
  const { dataDir } = platform;
  const usualKey = databaseUrl === undefined ? undefined : join(dataDir, "svc.key");
  const keyFile = env["SVC_KEY_FILE"] ?? usualKey;
  const { mintToken } = await import("#server/platform/maintenance/token.ts");
  const options = { dataDirectory: dataDir, ttlMs: tokenTtlMs };
  return (await mintToken({ ...options, ...given({ databaseUrl, keyFile, email }) })).token;
}
