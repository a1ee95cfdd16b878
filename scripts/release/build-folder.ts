import { cp, mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { repository } from "../build/executable.ts";

/** One path on every machine, whatever the folder of the checkout. */
const releaseBuildFolder = "/tmp/svc-release-build";

/** Everything that a build of the executable reads. */
const sources = [
  "src",
  "ui",
  "docs",
  "scripts",
  "templates",
  "node_modules",
  ".cache/compressed",
  "package.json",
  "bun.lock",
  "bunfig.toml",
  "tsconfig.json",
  "CHANGELOG.md",
  "README.md",
  "LICENSE",
];

/**
 * Runs `build` with a copy of the sources in a folder of a fixed path, and removes the copy. The
 * bundler orders modules by a hash of their absolute paths, so that the folder of the checkout
 * would be in the names that it chooses. Throws when the folder exists: one release at a time.
 */
export async function withBuildFolder<Result>(
  build: (folder: string) => Promise<Result>,
  { from = repository, folder = releaseBuildFolder } = {},
): Promise<Result> {
  await mkdir(folder, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    throw error.code === "EEXIST"
      ? new Error(
          `${folder} exists: wait for the other release, or remove what an interrupted one left`,
        )
      : error;
  });
  try {
    for (const path of sources) {
      // Links within node_modules are relative and stay as they are.
      const options = { recursive: true, verbatimSymlinks: true, preserveTimestamps: true };
      await cp(join(from, path), join(folder, path), options).catch(
        (error: NodeJS.ErrnoException) => {
          if (error.code !== "ENOENT") throw error;
        },
      );
    }
    return await build(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
