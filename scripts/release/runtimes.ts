import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import manifest from "../../package.json" with { type: "json" };
import { finished } from "../build/finished.ts";
import { repository } from "../build/executable.ts";
import { runtimeVersion, type ReleaseTarget } from "./targets.ts";

const limitMs = 900_000;

/**
 * The path of Bun's runtime for a target: fetched once from the package registry with npm, and
 * checked against the pinned digest each time.
 */
export async function runtimeFor(target: ReleaseTarget): Promise<string> {
  if (manifest.packageManager !== `bun@${runtimeVersion}`) {
    throw new Error(`scripts/release/targets.ts has the digests of bun@${runtimeVersion}`);
  }
  const cache = join(repository, ".cache", "runtimes");
  await mkdir(cache, { recursive: true });
  const packed = join(cache, `${target.name}-${runtimeVersion}.tgz`);
  if (!(await Bun.file(packed).exists())) await fetchPackage(target, cache, packed);
  const bytes = await Bun.file(packed).bytes();
  if (`sha512-${Bun.SHA512.hash(bytes, "base64")}` !== target.integrity) {
    await rm(packed);
    throw new Error(`${target.package} is not the package of scripts/release/targets.ts`);
  }
  const files = await new Bun.Archive(bytes).files(`package/${target.runtime}`);
  const [runtime] = files.values();
  if (runtime === undefined) throw new Error(`${target.package} has no ${target.runtime}`);
  const path = join(cache, target.name, target.runtime);
  await Bun.write(path, runtime);
  return path;
}

/** `npm pack` keeps to the registry, proxy and credentials that this machine has configured. */
async function fetchPackage(target: ReleaseTarget, cache: string, packed: string): Promise<void> {
  const folder = await mkdtemp(join(cache, "fetch-"));
  const name = `${target.package}@${runtimeVersion}`;
  console.error(`svc: fetching ${name}`);
  try {
    const child = Bun.spawn(["npm", "pack", "--silent", "--pack-destination", folder, name], {
      cwd: folder,
      stdio: ["ignore", "pipe", "pipe"],
      timeout: limitMs,
    });
    const { stdout, stderr, exitCode } = await finished(child);
    if (exitCode !== 0) throw new Error(`${name} could not be fetched:\n${stderr}`);
    await rename(join(folder, stdout.trim()), packed);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
