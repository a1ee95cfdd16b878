import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import manifest from "../../../package.json" with { type: "json" };
import { cleanEnvironment } from "#test/support/environment.ts";
import { fakeExecutable } from "#test/support/fake-executable.ts";
import { findNode } from "#test/support/node.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { libraryPackage, targetManifest } from "../../../scripts/release/contents.ts";
import { checkFormat } from "../../../scripts/release/formats.ts";
import { bundledPackages, cycloneDx, noticesText } from "../../../scripts/release/packages.ts";
import { provenance } from "../../../scripts/release/provenance.ts";
import { releaseTargets, runtimeVersion } from "../../../scripts/release/targets.ts";

const repository = resolve(import.meta.dirname, "../../..");

describe("the package of the registry", () => {
  test("has the library and a launcher, and no executable", async () => {
    const { stdout, exitCode } = Bun.spawnSync(
      ["npm", "pack", "--dry-run", "--json", "--ignore-scripts"],
      { cwd: repository, env: cleanEnvironment({ NODE_DISABLE_COMPILE_CACHE: "1" }) },
    );
    expect(exitCode).toBe(0);
    const [{ files = [] } = {}]: { files?: { path: string }[] }[] = JSON.parse(stdout.toString());
    const paths = files.map(({ path }) => path);
    const outside = paths.filter((path) => !path.startsWith("dist/lib/"));
    expect(outside.toSorted()).toEqual([
      "CHANGELOG.md",
      "LICENSE",
      "README.md",
      "package.json",
      "scripts/release/files/launcher.mjs",
    ]);
    expect(paths).toContain(manifest.bin.svc);
  });

  test("of a release names the executables of each machine, and no tools of development", async () => {
    const library = await temporaryDirectory("lib");
    await writeFile(join(library, "index.js"), "export {};");
    const files = await libraryPackage(library, "1.2.3");
    const text = files.find(({ path }) => path === "package.json")?.content;
    const facts: Record<string, unknown> = JSON.parse(new TextDecoder().decode(text));
    expect(facts).toMatchObject({
      name: "svc",
      version: "1.2.3",
      exports: manifest.exports,
      optionalDependencies: { "svc-linux-x64-baseline": "1.2.3", "svc-windows-x64": "1.2.3" },
    });
    expect(Object.keys(facts)).not.toContain("devDependencies");
    expect(Object.keys(facts)).not.toContain("scripts");
    expect(files.map(({ path }) => path)).toContain("dist/lib/index.js");
  });

  test.skipIf(process.platform !== "linux" || process.arch !== "x64")(
    "starts the executable for this machine, and names its package where it is missing",
    async () => {
      const root = await temporaryDirectory("launcher");
      const launcher = join(root, "node_modules/svc/scripts/release/files/launcher.mjs");
      await mkdir(join(launcher, ".."), { recursive: true });
      await writeFile(
        launcher,
        await readFile(join(repository, "scripts/release/files/launcher.mjs")),
      );
      const call = (...words: readonly string[]) => {
        const { exitCode, stdout, stderr } = Bun.spawnSync([findNode(), launcher, ...words], {
          env: cleanEnvironment(),
        });
        return { exitCode, stdout: stdout.toString(), stderr: stderr.toString() };
      };
      expect(call("--version")).toMatchObject({
        exitCode: 1,
        stderr: expect.stringMatching(
          /the package svc-linux-x64-(?:baseline|musl) is not installed/,
        ),
      });
      for (const name of ["linux-x64-baseline", "linux-x64-musl"]) {
        const target = releaseTargets.find((each) => each.name === name);
        if (target === undefined) throw new Error(`no target ${name}`);
        const folder = join(root, "node_modules", `svc-${name}`);
        await mkdir(join(folder, "bin"), { recursive: true });
        await writeFile(join(folder, "package.json"), targetManifest(target, "1.2.3").content);
        const script = `${fakeExecutable("1.2.3")}[ "$1" = fail ] && exit 4\nexit 0\n`;
        await writeFile(join(folder, "bin/svc"), script, { mode: 0o755 });
      }
      expect(call("--version")).toEqual({ exitCode: 0, stdout: "1.2.3\n", stderr: "" });
      expect(call("fail").exitCode).toBe(4);
    },
  );
});

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
