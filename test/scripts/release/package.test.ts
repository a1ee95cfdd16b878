import { mkdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import manifest from "../../../package.json" with { type: "json" };
import { cleanEnvironment } from "#test/support/environment.ts";
import { fakeExecutable } from "#test/support/fake-executable.ts";
import { findNode } from "#test/support/node.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { clientPackage, commandPackage, targetPackage } from "#lib/packages.ts";
import { textFile, type ArchiveFile } from "../../../scripts/release/archives.ts";
import {
  launcherPackage,
  libraryPackage,
  targetManifest,
} from "../../../scripts/release/contents.ts";
import { developmentKey, signed, type SigningKey } from "../../../scripts/release/minisign.ts";
import { checkFormat } from "../../../scripts/release/formats.ts";
import { bundledPackages, cycloneDx, noticesText } from "../../../scripts/release/packages.ts";
import { provenance } from "../../../scripts/release/provenance.ts";
import { releaseTargets, runtimeVersion } from "../../../scripts/release/targets.ts";

const repository = resolve(import.meta.dirname, "../../..");

/** The files of a package, written below a folder. */
async function install(folder: string, files: readonly ArchiveFile[]): Promise<void> {
  for (const { path, content, mode } of files) {
    const target = join(folder, path);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, content, { mode });
  }
}

function factsOf(files: readonly ArchiveFile[]): Record<string, unknown> {
  const text = files.find(({ path }) => path === "package.json")?.content;
  return JSON.parse(new TextDecoder().decode(text));
}

describe("a package of the registry", () => {
  test("has the library, and puts no command into the project that installs it", async () => {
    const { stdout, exitCode } = Bun.spawnSync(
      ["npm", "pack", "--dry-run", "--json", "--ignore-scripts"],
      { cwd: repository, env: cleanEnvironment({ NODE_DISABLE_COMPILE_CACHE: "1" }) },
    );
    expect(exitCode).toBe(0);
    const [{ files = [] } = {}]: { files?: { path: string }[] }[] = JSON.parse(stdout.toString());
    const paths = files.map(({ path }) => path);
    const outside = paths.filter((path) => !path.startsWith("dist/lib/"));
    expect(outside.toSorted()).toEqual(["CHANGELOG.md", "LICENSE", "README.md", "package.json"]);
    expect(manifest).not.toHaveProperty("bin");
    expect(manifest.name).toBe(clientPackage);
  });

  test("of a release is scoped, and has no tools of development", async () => {
    const library = await temporaryDirectory("lib");
    await writeFile(join(library, "index.js"), "export {};");
    const files = await libraryPackage(library, "1.2.3");
    expect(files.map(({ path }) => path)).toContain("dist/lib/index.js");
    const facts = factsOf(files);
    expect(facts).toMatchObject({ name: clientPackage, version: "1.2.3" });
    expect(facts).toMatchObject({ exports: manifest.exports });
    const launcher = factsOf(await launcherPackage(developmentKey().publicKey, "1.2.3"));
    expect(launcher).toMatchObject({
      name: commandPackage,
      bin: { svc: "launcher.js" },
      optionalDependencies: {
        [targetPackage("linux-x64-baseline")]: "1.2.3",
        [targetPackage("windows-x64")]: "1.2.3",
      },
    });
    const names = [facts, launcher].flatMap((one) => [
      String(one["name"]),
      ...Object.keys(one["optionalDependencies"] ?? {}),
    ]);
    expect(names.filter((name) => !name.startsWith("@svc-platform/"))).toEqual([]);
    for (const one of [facts, launcher]) {
      expect(Object.keys(one)).not.toContain("devDependencies");
      expect(Object.keys(one)).not.toContain("scripts");
    }
    expect(Object.keys(facts)).not.toContain("bin");
  });
});

describe.skipIf(process.platform !== "linux" || process.arch !== "x64")("the launcher", () => {
  const key = developmentKey();

  /** A project with the launcher, whose executables for this machine are scripts. */
  async function project() {
    const root = join(await temporaryDirectory("launcher"), "node_modules");
    const launcher = join(root, commandPackage, "launcher.js");
    await install(join(root, commandPackage), await launcherPackage(key.publicKey, "1.2.3"));
    const call = (...words: readonly string[]) => {
      const { exitCode, stdout, stderr } = Bun.spawnSync([findNode(), launcher, ...words], {
        env: cleanEnvironment({ SVC_CONFIG_DIR: join(root, "config") }),
      });
      return { exitCode, stdout: stdout.toString(), stderr: stderr.toString() };
    };
    const script = `${fakeExecutable("1.2.3")}[ "$1" = fail ] && exit 4\nexit 0\n`;
    /** Installs the executables, with the signature of other content where it is given. */
    const add = async (signedAs?: { key?: SigningKey; comment?: string; content?: string }) => {
      for (const name of ["linux-x64-baseline", "linux-x64-musl"]) {
        const target = releaseTargets.find((each) => each.name === name);
        if (target === undefined) throw new Error(`no target ${name}`);
        const signature = signed(
          signedAs?.key ?? key,
          new TextEncoder().encode(signedAs?.content ?? script),
          signedAs?.comment ?? `svc 1.2.3 ${name}`,
        );
        await install(join(root, targetPackage(name)), [
          targetManifest(target, "1.2.3"),
          { path: "bin/svc", content: new TextEncoder().encode(script), mode: 0o755 },
          textFile("bin/svc.minisig", signature),
        ]);
      }
    };
    return { call, add, root };
  }

  test("starts the executable for this machine, and names its package where it is missing", async () => {
    const { call, add } = await project();
    expect(call("--version")).toMatchObject({
      exitCode: 1,
      stderr: expect.stringMatching(
        /the package @svc-platform\/svc-linux-x64-(?:baseline|musl) is not installed/,
      ),
    });
    await add();
    expect(call("--version")).toEqual({ exitCode: 0, stdout: "1.2.3\n", stderr: "" });
    expect(call("fail").exitCode).toBe(4);
  });

  test.each([
    ["changed", { content: "another script" }, "the signature does not fit the content"],
    ["signed by another key", { key: foreignKey() }, "the signature is of another key"],
    [
      "of another version",
      { comment: "svc 1.2.2 linux-x64-baseline" },
      "the executable is signed as svc 1.2.2",
    ],
  ])("does not start an executable that is %s", async (_kind, signedAs, words) => {
    const { call, add } = await project();
    await add(signedAs);
    const { exitCode, stdout, stderr } = call("--version");
    expect([exitCode, stdout]).toEqual([1, ""]);
    expect(stderr).toContain(`was not started: ${words}`);
  });

  test("checks an executable again after a change of the same size and time", async () => {
    const { call, add, root } = await project();
    await add();
    expect(call("--version").stdout).toBe("1.2.3\n");
    expect(call("--version").stdout).toBe("1.2.3\n");
    for (const name of ["linux-x64-baseline", "linux-x64-musl"]) {
      const path = join(root, targetPackage(name), "bin/svc");
      const { atime, mtime } = await stat(path);
      const text = await readFile(path, "utf8");
      await writeFile(path, text.replace("1.2.3", "6.6.6"));
      await utimes(path, atime, mtime);
    }
    expect(call("--version")).toMatchObject({ exitCode: 1, stdout: "" });
  });

  test("does not start an executable without a signature", async () => {
    const { call, add, root } = await project();
    await add();
    for (const name of ["linux-x64-baseline", "linux-x64-musl"]) {
      await rm(join(root, targetPackage(name), "bin/svc.minisig"));
    }
    expect(call("--version")).toMatchObject({ exitCode: 1, stdout: "" });
  });
});

/** A key that is not the one of releases. */
function foreignKey(): SigningKey {
  return { ...developmentKey(), id: Buffer.alloc(8, 1) };
}

describe("the papers of a release", () => {
  const inputs = ["src/main.ts", "node_modules/zod/index.js", "../x/node_modules/ink/build/ink.js"];

  test("list each package once, with version, licence, digest and text", async () => {
    const packages = await bundledPackages([...inputs, "node_modules/zod/v4/core.js"]);
    expect(packages.map(({ name }) => name)).toEqual(["ink", "zod"]);
    expect(packages[1]).toMatchObject({
      version: manifest.devDependencies.zod,
      license: "MIT",
      integrity: expect.stringMatching(/^sha512-/),
      notice: expect.stringContaining("Permission is hereby granted"),
    });
    const bom = JSON.parse(cycloneDx("1.2.3", packages));
    expect(bom).toMatchObject({
      bomFormat: "CycloneDX",
      specVersion: "1.6",
      components: [
        { name: "bun", version: runtimeVersion },
        { name: "ink", hashes: [{ alg: "SHA-512" }] },
        { name: "zod", purl: `pkg:npm/zod@${manifest.devDependencies.zod}` },
      ],
    });
    expect(cycloneDx("1.2.3", packages)).toBe(cycloneDx("1.2.3", packages));
    expect(noticesText(packages)).toContain(`zod ${manifest.devDependencies.zod} (MIT)`);
  });

  test("list a package once that is installed in two folders", async () => {
    const copies = ["@alcalzone/ansi-tokenize", "wrap-ansi"].map(
      (owner) => `node_modules/${owner}/node_modules/ansi-styles/index.js`,
    );
    const packages = await bundledPackages(copies);
    expect(packages.map(({ name }) => name)).toEqual(["ansi-styles"]);
    const { components } = JSON.parse(cycloneDx("1.2.3", packages)) as {
      components: { "bom-ref": string }[];
    };
    const references = components.map((component) => component["bom-ref"]);
    expect(references).toEqual([...new Set(references)]);
  });

  test("name sources, runtimes and files in the provenance", async () => {
    const subject = { name: "svc.tgz", sha256: "0".repeat(64) };
    const statement = JSON.parse(await provenance([subject], releaseTargets, { version: "1.2.3" }));
    expect(statement).toMatchObject({
      _type: "https://in-toto.io/Statement/v1",
      predicateType: "https://slsa.dev/provenance/v1",
      subject: [{ name: "svc.tgz", digest: { sha256: subject.sha256 } }],
      predicate: { buildDefinition: { externalParameters: { version: "1.2.3" } } },
    });
    const runtimes = JSON.stringify(statement.predicate.buildDefinition.resolvedDependencies);
    for (const { package: name } of releaseTargets) {
      expect(runtimes).toContain(`pkg:npm/${name.replace("@", "%40")}@${runtimeVersion}`);
    }
  });

  test("digests of runtimes belong to the pinned Bun", () => {
    expect(manifest.packageManager).toBe(`bun@${runtimeVersion}`);
  });
});

test("an executable of another machine is refused", async () => {
  const bytes = await Bun.file(process.execPath)
    .slice(0, 1 << 20)
    .bytes();
  const [linux] = releaseTargets;
  const arm = releaseTargets.find(({ name }) => name === "linux-arm64");
  const mac = releaseTargets.find(({ name }) => name === "macos-arm64");
  if (linux === undefined || arm === undefined || mac === undefined) throw new Error("no targets");
  expect(() => checkFormat(mac, bytes)).toThrow("is not in Mach-O format");
  if (process.platform !== "linux" || process.arch !== "x64") return;
  expect(() => checkFormat(linux, bytes)).not.toThrow();
  expect(() => checkFormat(arm, bytes)).toThrow("is for another processor");
});
