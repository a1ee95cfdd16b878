/**
 * `npm run release`: every file of a release in dist/release/VERSION, the same bytes each time.
 * `-- --target linux-x64` (repeatable) builds for these machines only, `--level 3` compresses
 * faster, `--out FOLDER` writes elsewhere. SVC_RELEASE_KEY_FILE names the key that signs.
 */
import { mkdir, rename, rm } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import manifest from "../package.json" with { type: "json" };
import { repository } from "./build/executable.ts";
import { ReleaseFolder } from "./release/folder.ts";
import { makeRelease, releaseLevel } from "./release/make.ts";
import { releaseKey } from "./release/minisign.ts";
import { releaseTargets } from "./release/targets.ts";

const { values } = parseArgs({
  options: {
    target: { type: "string", multiple: true, default: [] },
    level: { type: "string", default: String(releaseLevel) },
    out: { type: "string", default: join("dist", "release", manifest.version) },
  },
});

try {
  await main();
} catch (error) {
  console.error(`svc: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}

async function main(): Promise<void> {
  const level = Number(values.level);
  if (!Number.isInteger(level) || level < 1 || level > releaseLevel) {
    throw new Error(`--level is 1 to ${releaseLevel}`);
  }
  const unknown = values.target.find((name) => !releaseTargets.some((each) => each.name === name));
  if (unknown !== undefined) {
    const known = releaseTargets.map(({ name }) => name).join(", ");
    throw new Error(`there is no target ${unknown}; targets are ${known}`);
  }
  const isWanted = (name: string): boolean =>
    values.target.length === 0 || values.target.includes(name);
  const targets = releaseTargets.filter(({ name }) => isWanted(name));
  const key = await releaseKey(process.env);
  if (key.isForDevelopment) {
    console.error(
      "svc: signing with the development key, which protects nothing: set SVC_RELEASE_KEY_FILE",
    );
  }
  const target = resolve(repository, values.out);
  const folder = new ReleaseFolder(join(dirname(target), `.release-${process.pid}`));
  await mkdir(folder.path, { recursive: true });
  try {
    await makeRelease({ folder, targets, key, level, version: manifest.version });
    await rm(target, { recursive: true, force: true });
    await rename(folder.path, target);
    console.error(`svc: the release is in ${target}`);
  } finally {
    await rm(folder.path, { recursive: true, force: true });
  }
}
