import { mkdir, rename, rm, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { finished } from "./finished.ts";

/** The checkout that this script belongs to. */
export const repository: string = resolve(import.meta.dirname, "../..");
/** The executable that `npm run build` makes and every end-to-end test runs. */
export const executable: string = join(repository, "dist", "svc");

/** Which functions a start uses, as `scripts/start-order.ts` has recorded them. */
export const orderFiles = {
  dashboard: join(repository, "scripts/build/start-order/dashboard.order"),
  command: join(repository, "scripts/build/start-order/command.order"),
} as const;

const sizeLimitMebibytes = 140;
const mebibyte = 1024 * 1024;
const stampFile = join(repository, "dist", ".svc-inputs.json");

/** Everything that can change the executable; digests, because a checkout has no true times. */
const inputPaths = [
  "src/**",
  "ui/**",
  "templates/**",
  "docs/*.md",
  "package.json",
  "bun.lock",
  "tsconfig.json",
  "scripts/build/*.ts",
  "scripts/build/start-order/*",
  "scripts/patches/**",
];

interface Stamp {
  readonly inputs: string;
  /** Distinguishes a file of another build from the one that belongs to `inputs`. */
  readonly file: string;
}

/** Builds dist/svc from src/main.ts, and puts it in place in one step, so that runs go on. */
export async function buildExecutable(
  options: Pick<CompileOptions, "gazetteer"> = {},
): Promise<void> {
  const startedAt = performance.now();
  const inputs = await digestInputs();
  const folder = join(repository, "dist", `.build-${process.pid}`);
  // The name of the output is part of its bytes: built elsewhere, but under the same name.
  const built = join(folder, "svc");
  await mkdir(folder, { recursive: true });
  try {
    await compile("src/main.ts", built, options);
    const size = await checkSize(built);
    const stamp: Stamp = { inputs, file: await identify(built) };
    await rename(built, executable);
    // A build with other contents is never taken for the usual one.
    if (options.gazetteer === false) await rm(stampFile, { force: true });
    else await Bun.write(stampFile, JSON.stringify(stamp));
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    console.error(`svc: built dist/svc, ${(size / mebibyte).toFixed(1)} MiB, in ${seconds} s`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Settings of a build that is not for this checkout alone. */
export interface CompileOptions {
  /** Another machine: Bun's name for it, and the path of its runtime. */
  readonly target?: { readonly name: string; readonly runtime: string };
  /** Whether start-up is bought with a tenth of the size; true by default. */
  readonly bytecode?: boolean;
  /** Names in the sources that become these texts. */
  readonly constants?: Readonly<Record<string, string>>;
  /** Receives the paths of all sources as a JSON list. */
  readonly inputsFile?: string;
  /** Whether the executable has the gazetteer inside; true by default. */
  readonly gazetteer?: boolean;
  /** A copy of the checkout with its packages, which is compiled instead. */
  readonly checkout?: string;
}

/** Compiles one entry file of the checkout to an executable; see compile.ts for how. */
export async function compile(
  entry: string,
  outfile: string,
  options: CompileOptions = {},
): Promise<void> {
  const build = Bun.spawn(
    [process.execPath, "scripts/build/compile.ts", entry, outfile, JSON.stringify(options)],
    { cwd: options.checkout ?? repository, stdio: ["ignore", "pipe", "pipe"] },
  );
  const { stdout: output, stderr: errors, exitCode } = await finished(build);
  if (exitCode !== 0) throw new Error(`${entry} did not build:\n${output}${errors}`);
}

/** Builds dist/svc unless it is what a build would make now. */
export async function refreshExecutable(): Promise<void> {
  if (!(await executableIsFresh())) await buildExecutable();
}

async function executableIsFresh(): Promise<boolean> {
  const file = Bun.file(stampFile);
  if (!(await file.exists()) || !(await Bun.file(executable).exists())) return false;
  const stamp: unknown = await file.json().catch(() => undefined);
  if (typeof stamp !== "object" || stamp === null) return false;
  if (!("inputs" in stamp) || !("file" in stamp)) return false;
  return stamp.file === (await identify(executable)) && stamp.inputs === (await digestInputs());
}

async function checkSize(file: string): Promise<number> {
  const { size } = await stat(file);
  if (size > sizeLimitMebibytes * mebibyte) {
    throw new Error(
      `dist/svc would be ${(size / mebibyte).toFixed(1)} MiB; ` +
        `at most ${sizeLimitMebibytes} MiB is wanted`,
    );
  }
  return size;
}

/** Inode, size and time of writing, which a rename keeps. */
async function identify(file: string): Promise<string> {
  const { ino, size, mtimeMs } = await stat(file);
  return `${ino}:${size}:${mtimeMs}`;
}

async function digestInputs(): Promise<string> {
  const found = await Promise.all(
    inputPaths.map((pattern) =>
      Array.fromAsync(new Bun.Glob(pattern).scan({ cwd: repository, dot: true })),
    ),
  );
  const digest = new Bun.CryptoHasher("sha256");
  for (const path of found.flat().toSorted()) {
    digest.update(`${path}\0`);
    digest.update(await Bun.file(join(repository, path)).bytes());
  }
  digest.update(Bun.version);
  return digest.digest("hex");
}
