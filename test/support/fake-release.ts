import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { given } from "#lib/given.ts";
import type { ReleaseNeeds } from "#local/release/needs.ts";
import { ReleaseFolder } from "../../scripts/release/folder.ts";
import { addInstallers, addSums, addTarget } from "../../scripts/release/make.ts";
import { developmentKey, type SigningKey } from "../../scripts/release/minisign.ts";
import { releaseTargets } from "../../scripts/release/targets.ts";
import { fakeExecutable } from "./fake-executable.ts";
import { temporaryDirectory } from "./temporary.ts";

export interface FakeReleaseOptions {
  readonly version: string;
  /** The executable is a script of the shell; by default one that prints the version. */
  readonly script?: string;
  readonly key?: SigningKey;
  readonly target?: string;
  readonly needs?: ReleaseNeeds;
}

/** A folder with the files of a release for one machine; its executable is a small script. */
export async function fakeRelease(options: FakeReleaseOptions): Promise<string> {
  const { script = fakeExecutable(options.version) } = options;
  return await releaseOf({ ...options, executable: new TextEncoder().encode(script) });
}

/** A fake release with any executable. */
export async function releaseOf(
  options: Omit<FakeReleaseOptions, "script"> & { readonly executable: Uint8Array<ArrayBuffer> },
): Promise<string> {
  const { version, executable, key = developmentKey(), needs } = options;
  const target = releaseTargets.find(({ name }) => name === (options.target ?? "linux-x64"));
  if (target === undefined) throw new Error(`there is no target ${options.target}`);
  const folder = new ReleaseFolder(join(await temporaryDirectory("release"), version));
  await mkdir(folder.path);
  const built = { executable, packages: [] };
  await addTarget({ folder, key, level: 1, version, ...given({ needs }) }, target, built);
  await addInstallers(folder, version, key.publicKey);
  await addSums(folder, version, key);
  return folder.path;
}
