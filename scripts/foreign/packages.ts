import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { repository } from "../build/executable.ts";
import { finished } from "../build/finished.ts";

const installLimitMs = 300_000;

/**
 * Installs packages of the registry into a folder of the cache, without their install scripts.
 * Returns the `node_modules` folder; throws with the installer's reason.
 */
export async function installPackages(name: string, packages: readonly string[]): Promise<string> {
  const folder = join(repository, ".cache/foreign", name);
  await mkdir(folder, { recursive: true });
  if (packages.length > 0) {
    await Bun.write(join(folder, "package.json"), '{ "private": true }\n');
    const command = ["add", "--exact", "--ignore-scripts", ...packages];
    const child = Bun.spawn([process.execPath, ...command], {
      cwd: folder,
      stdio: ["ignore", "pipe", "pipe"],
      timeout: installLimitMs,
    });
    const { stdout, stderr, exitCode } = await finished(child);
    if (exitCode !== 0) {
      throw new Error(`cannot install ${packages.join(", ")}:\n${stdout}${stderr}`.trim());
    }
  }
  return join(folder, "node_modules");
}
