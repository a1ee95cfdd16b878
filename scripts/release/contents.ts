import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { completionScript, scriptNames } from "#cli/completion/scripts.ts";
import { manPages } from "#cli/pages/man.ts";
import { commandTable } from "#commands/registry.ts";
import { needsFile, ownNeeds, type ReleaseNeeds } from "#local/release/needs.ts";
import { commandPackage, targetPackage } from "#lib/packages.ts";
import manifest from "../../package.json" with { type: "json" };
import { repository } from "../build/executable.ts";
import { textFile, type ArchiveFile } from "./archives.ts";
import { processor } from "./processor.ts";
import { isForOlderProcessors, releaseTargets, type ReleaseTarget } from "./targets.ts";

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

/** A shell function that fails where the processor can't run the executable. */
export async function processorCheck(): Promise<string> {
  const { flags, words } = processor;
  return await templateText("processor.sh", {
    PROCESSOR_FLAGS: flags.join(" "),
    PROCESSOR_WORDS: words,
  });
}

/** The files at the root of each archive. */
export async function rootFiles(
  target: ReleaseTarget,
  notices: string,
  needs: ReleaseNeeds = ownNeeds,
): Promise<ArchiveFile[]> {
  const texts = await Promise.all(
    ["LICENSE", "CHANGELOG.md"].map(async (name) =>
      textFile(name, await Bun.file(join(repository, name)).text()),
    ),
  );
  const processors = isForOlderProcessors(target)
    ? [textFile("REQUIREMENTS.txt", `svc for ${target.name} needs ${processor.words}.\n`)]
    : [];
  const required = textFile(needsFile, `${JSON.stringify(needs, null, 2)}\n`);
  return [...texts, ...processors, required, textFile("THIRD-PARTY-NOTICES.txt", notices)];
}

/** The manifest that makes an archive a package of the registry. */
export function targetManifest(target: ReleaseTarget, version: string): ArchiveFile {
  const { name, npm } = target;
  const { os, cpu, libc } = npm;
  const needs = isForOlderProcessors(target) ? `; it needs ${processor.words}` : "";
  const facts = {
    name: targetPackage(name),
    version,
    description: `The executable of svc for ${name}${needs}`,
    license: manifest.license,
    os: [os],
    cpu: [cpu],
    ...(libc === undefined ? {} : { libc: [libc] }),
    preferUnplugged: true,
  };
  return manifestFile(facts);
}

/** The package of the client library, whose built files are in `library`. */
export async function libraryPackage(library: string, version: string): Promise<ArchiveFile[]> {
  const { name, description, license, type, exports: exported, engines } = manifest;
  const facts = { name, version, description, license, type, exports: exported, engines };
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
  return [manifestFile(facts), ...modules, ...(await packageTexts())];
}

/** The package of the command `svc`: a launcher with the executables that it starts. */
export async function launcherPackage(key: string, version: string): Promise<ArchiveFile[]> {
  const { license, type, engines } = manifest;
  const facts = {
    name: commandPackage,
    version,
    description: "The command svc, with the executable for the machine",
    license,
    bin: { svc: "launcher.js" },
    type,
    optionalDependencies: Object.fromEntries(
      releaseTargets
        // The baseline build takes its place, since npm can't tell the processors apart.
        .filter((target) => target.name !== "linux-x64")
        .map((target) => [targetPackage(target.name), version]),
    ),
    engines,
  };
  const content = new TextEncoder().encode(await launcherModule(key, version));
  return [
    manifestFile(facts),
    { path: "launcher.js", content, mode: 0o755 },
    ...(await packageTexts()),
  ];
}

/** The launcher as one module for Node, with the release key in it. */
async function launcherModule(key: string, version: string): Promise<string> {
  const { outputs, success, logs } = await Bun.build({
    entrypoints: [join(import.meta.dirname, "launcher.ts")],
    target: "node",
    format: "esm",
    banner: "#!/usr/bin/env node",
    define: { svcReleaseKey: JSON.stringify(key), svcVersion: JSON.stringify(version) },
    throw: false,
  });
  const [output] = outputs;
  if (!success || output === undefined) {
    throw new Error(
      `The launcher does not build:\n${logs.map(({ message }) => message).join("\n")}`,
    );
  }
  return await output.text();
}

function manifestFile(facts: object): ArchiveFile {
  return textFile("package.json", `${JSON.stringify(facts, null, 2)}\n`);
}

async function packageTexts(): Promise<ArchiveFile[]> {
  return await Promise.all(
    ["LICENSE", "README.md", "CHANGELOG.md"].map(async (file) =>
      textFile(file, await Bun.file(join(repository, file)).text()),
    ),
  );
}
