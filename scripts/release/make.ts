import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ReleaseNeeds } from "#local/release/needs.ts";
import { compile, repository } from "../build/executable.ts";
import { buildLibrary } from "../build/library.ts";
import { tarGzip, tarZstd, textFile, zip, type ArchiveFile } from "./archives.ts";
import {
  launcherPackage,
  libraryPackage,
  processorCheck,
  rootFiles,
  sharedFiles,
  targetManifest,
  templateText,
} from "./contents.ts";
import { withBuildFolder } from "./build-folder.ts";
import { debianArchive } from "./debian.ts";
import type { ReleaseFolder } from "./folder.ts";
import { checkFormat, repairSignature } from "./formats.ts";
import { publicKeyFile, signed, type SigningKey } from "./minisign.ts";
import { bundledPackages, cycloneDx, noticesText, type BundledPackage } from "./packages.ts";
import { provenance } from "./provenance.ts";
import { runtimeFor } from "./runtimes.ts";
import { isForOlderProcessors, type ReleaseTarget } from "./targets.ts";

const targetsAtOnce = 2;
/** How hard a published release is compressed; the largest level of Zstandard. */
export const releaseLevel = 22;
const mebibyte = 1024 * 1024;

export interface ReleaseInput {
  readonly folder: ReleaseFolder;
  readonly targets: readonly ReleaseTarget[];
  readonly key: SigningKey;
  /** How hard to compress, 1 to 22. */
  readonly level: number;
  readonly version: string;
  /** The needs of the release; by default those of these sources. */
  readonly needs?: ReleaseNeeds;
}

/** Writes all files of a release. */
export async function makeRelease(input: ReleaseInput): Promise<void> {
  await withBuildFolder((checkout) => writeRelease(input, checkout));
}

async function writeRelease(input: ReleaseInput, checkout: string): Promise<void> {
  const { folder, targets, key, level, version } = input;
  const work = await mkdtemp(join(tmpdir(), "svc-release-"));
  let packages: readonly BundledPackage[] = [];
  try {
    const writing: Promise<void>[] = [];
    for (const [index, target] of targets.entries()) {
      const built = await buildFor(target, { work, key, checkout });
      packages = built.packages;
      // Compressing takes most of the time, on one processor for each archive.
      await writing[index - targetsAtOnce];
      const written = addTarget(input, target, built).then((bytes) => {
        const sizes = [built.executable.byteLength, bytes];
        const [size, download] = sizes.map((each) => (each / mebibyte).toFixed(1));
        console.error(`svc: ${target.name}: ${size} MiB, ${download} MiB to download`);
      });
      // A failure is awaited later; until then it is not an unhandled one.
      written.catch(() => undefined);
      writing.push(written);
    }
    await Promise.all(writing);
    const library = join(work, "lib");
    await buildLibrary(library);
    const packed = [
      [`svc-client-${version}.tgz`, await libraryPackage(library, version)],
      [`svc-${version}.tgz`, await launcherPackage(key.publicKey, version)],
    ] as const;
    for (const [name, files] of packed) {
      await folder.write(name, await tarGzip(placed("package", files), level));
    }
  } finally {
    await rm(work, { recursive: true, force: true });
  }
  await folder.write("THIRD-PARTY-NOTICES.txt", noticesText(packages));
  await folder.write(`svc-${version}.cdx.json`, cycloneDx(version, packages));
  await folder.write("svc.pub", publicKeyFile(key));
  await addInstallers(folder, version, key.publicKey);
  const names = targets.map(({ name }) => name);
  const statement = await provenance(folder.subjects(), targets, {
    version,
    level,
    targets: names,
  });
  await folder.write(`svc-${version}.provenance.json`, statement);
  await addSums(folder, version, key);
}

/** The scripts that install from the folder; they hold the digests of the archives. */
export async function addInstallers(
  folder: ReleaseFolder,
  version: string,
  publicKey: string,
): Promise<void> {
  const sums = folder.sums((name) => /\.(?:tar\.gz|tar\.zst|zip)$/.test(name)).trimEnd();
  const PROCESSOR_CHECK = await processorCheck();
  const values = { VERSION: version, PUBLIC_KEY: publicKey, DIGESTS: sums, PROCESSOR_CHECK };
  await folder.write("install.sh", await templateText("install.sh", values));
  await folder.write("install.ps1", await templateText("install.ps1", values));
}

/** `SHA256SUMS` with a signature whose comment names the version. */
export async function addSums(
  folder: ReleaseFolder,
  version: string,
  key: SigningKey,
): Promise<void> {
  const sums = folder.sums();
  await folder.write("SHA256SUMS", sums);
  const signature = signed(key, new TextEncoder().encode(sums), `svc ${version}`);
  await folder.write("SHA256SUMS.minisig", signature);
}

/** The result of a build for one machine. */
export interface Built {
  readonly executable: Uint8Array;
  readonly packages: readonly BundledPackage[];
}

interface BuildPlace {
  readonly work: string;
  readonly key: SigningKey;
  /** The copy of the sources that is compiled. */
  readonly checkout: string;
}

async function buildFor(
  target: ReleaseTarget,
  { work, key, checkout }: BuildPlace,
): Promise<Built> {
  const runtime = await runtimeFor(target);
  const outfile = join(work, target.name, "svc");
  const inputsFile = join(work, `${target.name}.json`);
  await compile("src/main.ts", outfile, {
    target: { name: target.compileTarget, runtime },
    // The runtime for Windows is the largest one: with bytecode it would be above the size limit.
    bytecode: target.npm.os !== "win32",
    constants: { svcReleaseKey: key.publicKey, svcReleaseTarget: target.name },
    inputsFile,
    checkout,
  });
  const path = target.npm.os === "win32" ? `${outfile}.exe` : outfile;
  const executable = await Bun.file(path).bytes();
  await rm(path);
  if (target.npm.os === "darwin") repairSignature(executable);
  checkFormat(target, executable);
  const inputs: readonly string[] = await Bun.file(inputsFile).json();
  return { executable, packages: await bundledPackages(inputs) };
}

/** The largest download of one machine, `svc-VERSION-TARGET.tar.zst`. */
const downloadLimitBytes = 48 * mebibyte;

/** A warning when the documented download of a machine is too large; undefined otherwise. */
export function downloadWarning(name: string, bytes: number): string | undefined {
  if (bytes <= downloadLimitBytes) return undefined;
  return `${name} has ${(bytes / mebibyte).toFixed(1)} MiB; a download should have at most 48 MiB`;
}

/** Writes the archives of one machine; returns the bytes of the smallest one. */
export async function addTarget(
  { folder, key, level, version, needs }: Omit<ReleaseInput, "targets">,
  target: ReleaseTarget,
  { executable, packages }: Built,
): Promise<number> {
  const notices = noticesText(packages);
  const shared = await sharedFiles(target, version);
  const name = target.npm.os === "win32" ? "svc.exe" : "svc";
  const signature = signed(key, executable, `svc ${version} ${target.name}`);
  const files = placed(`svc-${version}-${target.name}`, [
    targetManifest(target, version),
    { path: `bin/${name}`, content: executable, mode: 0o755 },
    textFile(`bin/${name}.minisig`, signature),
    ...(await rootFiles(target, notices, needs)),
    ...placed("share", shared),
  ]);
  const archive = `svc-${version}-${target.name}`;
  // The registry takes the second one as a package, and old machines can unpack it.
  const [small, old, debian] = await Promise.all([
    tarZstd(files, level),
    tarGzip(files, level),
    target.debian === undefined
      ? undefined
      : debianArchive({
          architecture: target.debian,
          processorCheck: isForOlderProcessors(target) ? await processorCheck() : undefined,
          version,
          executable,
          shared,
          notices,
          licence: await Bun.file(join(repository, "LICENSE")).text(),
          level,
        }),
  ]);
  const warning = downloadWarning(`${archive}.tar.zst`, small.byteLength);
  if (level >= releaseLevel && warning !== undefined) console.error(`svc: ${warning}`);
  await folder.write(`${archive}.tar.zst`, small);
  await folder.write(`${archive}.tar.gz`, old);
  if (target.npm.os === "win32") await folder.write(`${archive}.zip`, zip(files));
  if (debian !== undefined) await folder.write(`svc_${version}_${target.debian}.deb`, debian);
  return small.byteLength;
}

function placed(folder: string, files: readonly ArchiveFile[]): ArchiveFile[] {
  return files.map((file) => ({ ...file, path: `${folder}/${file.path}` }));
}
