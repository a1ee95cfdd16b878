import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { completionScript, scriptNames } from "#cli/completion/scripts.ts";
import { manPages } from "#cli/pages/man.ts";
import { commandTable } from "#commands/registry.ts";
import manifest from "../../package.json" with { type: "json" };
import { repository } from "../build/executable.ts";
import { textFile, type ArchiveFile } from "./archives.ts";
import { releaseTargets, type ReleaseTarget } from "./targets.ts";

const files = join(import.meta.dirname, "files");

/** Completions, manual pages and the unit of systemd, below `share/`. */
export async function sharedFiles(target: ReleaseTarget, version: string): Promise<ArchiveFile[]> {
  const pages = Array.from(manPages(commandTable, version), ([name, page]) =>
    textFile(`man/man1/${name}`, page),
  );
  const completions = [
    textFile("bash-completion/completions/svc", completionScript("bash")),
    textFile(`zsh/site-functions/${scriptNames.zsh}`, completionScript("zsh")),
    textFile(`fish/vendor_completions.d/${scriptNames.fish}`, completionScript("fish")),
    textFile(`svc/${scriptNames.powershell}`, completionScript("powershell")),
  ];
  if (target.npm.os === "win32") return completions.slice(-1);
  if (target.npm.os !== "linux") return [...completions, ...pages];
  const unit = await templateText("svc.service");
  return [...completions, ...pages, textFile("svc/svc.service", unit)];
}

/** A file of `scripts/release/files`, with each `@NAME@` replaced. */
export async function templateText(
  name: string,
  values: Readonly<Record<string, string>> = {},
): Promise<string> {
  const text = await Bun.file(join(files, name)).text();
  return text.replace(/@([A-Z_]+)@/g, (whole, key: string) => values[key] ?? whole);
}

/** The files at the root of each archive. */
export async function rootFiles(notices: string): Promise<ArchiveFile[]> {
  const texts = await Promise.all(
    ["LICENSE", "CHANGELOG.md"].map(async (name) =>
      textFile(name, await Bun.file(join(repository, name)).text()),
    ),
  );
  return [...texts, textFile("THIRD-PARTY-NOTICES.txt", notices)];
}

/** The manifest that makes an archive a package of the registry. */
export function targetManifest({ name, npm }: ReleaseTarget, version: string): ArchiveFile {
  const { os, cpu, libc } = npm;
  const facts = {
    name: `svc-${name}`,
    version,
    description: `The executable of svc for ${name}`,
    license: manifest.license,
    os: [os],
    cpu: [cpu],
    ...(libc === undefined ? {} : { libc: [libc] }),
    preferUnplugged: true,
  };
  return textFile("package.json", `${JSON.stringify(facts, null, 2)}\n`);
}

/** The package `svc`: the library in `library`, and the launcher with its executables. */
export async function libraryPackage(library: string, version: string): Promise<ArchiveFile[]> {
  const { name, description, license, bin, type, exports: exported, engines } = manifest;
  const facts = {
    name,
    version,
    description,
    license,
    bin,
    type,
    exports: exported,
    optionalDependencies: Object.fromEntries(
      releaseTargets
        // The baseline build takes its place, since npm can't tell the processors apart.
        .filter((target) => target.name !== "linux-x64")
        .map((target) => [`svc-${target.name}`, version]),
    ),
    engines,
  };
  const built = await readdir(library, { recursive: true, withFileTypes: true });
  const entries = built.filter((entry) => entry.isFile());
  const modules = await Promise.all(
    entries.map(async (entry) => {
      const path = join(entry.parentPath, entry.name);
      const content = await Bun.file(path).bytes();
      const relative = path.slice(library.length + 1).replaceAll("\\", "/");
      return { path: `dist/lib/${relative}`, content, mode: 0o644 as const };
    }),
  );
  const launcher = await Bun.file(join(files, "launcher.mjs")).bytes();
  const texts = ["LICENSE", "README.md", "CHANGELOG.md"].map(async (file) =>
    textFile(file, await Bun.file(join(repository, file)).text()),
  );
  return [
    textFile("package.json", `${JSON.stringify(facts, null, 2)}\n`),
    { path: manifest.bin.svc, content: launcher, mode: 0o755 },
    ...modules,
    ...(await Promise.all(texts)),
  ];
}
