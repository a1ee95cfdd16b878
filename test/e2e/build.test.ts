import { cp, mkdir, readdir, symlink, utimes, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { expect, test } from "vitest";
import { cleanEnvironment } from "../support/environment.ts";
import { temporaryDirectory } from "../support/temporary.ts";

const repository = resolve(import.meta.dirname, "../..");
const scripts = join(repository, "scripts");

test("the executable is rebuilt when what it is made of has changed, and only then", async () => {
  const root = await temporaryDirectory("build");
  const main = join(root, "src", "main.ts");
  await mkdir(join(root, "src"));
  await mkdir(join(root, "scripts"));
  await cp(join(scripts, "build.ts"), join(root, "scripts", "build.ts"));
  await cp(join(scripts, "build"), join(root, "scripts", "build"), { recursive: true });
  // The build finds the modules to compress among the libraries.
  await symlink(join(repository, "node_modules"), join(root, "node_modules"));
  // Compressing all of them again takes half a minute for each build.
  await mkdir(join(repository, ".cache"), { recursive: true });
  await symlink(join(repository, ".cache"), join(root, ".cache"));
  await writeFile(join(root, "package.json"), JSON.stringify({ type: "module", dependencies: {} }));
  await writeFile(main, `console.log("first")`);
  // Templates and declarations that the build embeds.
  await mkdir(join(root, "templates", "web-app"), { recursive: true });
  await mkdir(join(root, "templates", "script"));
  await cp(join(repository, "tsconfig.json"), join(root, "tsconfig.json"));
  // Libraries that the build embeds.
  for (const name of [
    "client/index.ts",
    "mcp/sdk.ts",
    "site/site.ts",
    "site/search/client.ts",
    "commands/registry.ts",
    "commands/answers.ts",
  ]) {
    await mkdir(dirname(join(root, "src", name)), { recursive: true });
    await writeFile(join(root, "src", name), "export const library = 1;");
  }

  const gazetteer = "src/server/domains/geo/gazetteer/gazetteer.zst";
  await mkdir(dirname(join(root, gazetteer)), { recursive: true });
  await writeFile(join(root, gazetteer), "places");
  const guides = "src/commands/kit/site/guides.ts";
  await mkdir(dirname(join(root, guides)), { recursive: true });
  await cp(join(repository, guides), join(root, guides));
  await mkdir(join(root, "docs"));

  const build = async (): Promise<{ isBuilt: boolean; exitCode: number; stderr: string }> => {
    const command = [process.execPath, "scripts/build.ts", "--when-stale"];
    const child = Bun.spawn(command, { cwd: root, env: cleanEnvironment(), stderr: "pipe" });
    const [stderr, exitCode] = await Promise.all([child.stderr.text(), child.exited]);
    return { isBuilt: stderr.includes("built dist/svc"), exitCode, stderr };
  };
  const output = (): string => Bun.spawnSync([join(root, "dist", "svc")]).stdout.toString();

  expect(await build()).toMatchObject({
    stderr: expect.stringContaining("built dist/svc"),
    exitCode: 0,
  });
  expect(output()).toBe("first\n");
  expect(await build()).toMatchObject({ isBuilt: false, exitCode: 0 });

  await utimes(main, new Date(), new Date());
  expect(await build()).toMatchObject({ isBuilt: false });

  await writeFile(main, `console.log("second")`);
  expect(await build()).toMatchObject({ isBuilt: true });
  expect(output()).toBe("second\n");

  // A failed build keeps the last good executable and leaves no other file.
  await writeFile(main, `import "./missing.ts"`);
  const failed = await build();
  expect(failed).toMatchObject({ isBuilt: false, exitCode: 1 });
  expect(failed.stderr).toContain("missing.ts");
  expect(output()).toBe("second\n");
  expect((await readdir(join(root, "dist"))).toSorted()).toEqual([".svc-inputs.json", "svc"]);

  await writeFile(main, `console.log("second")`);
  expect(await build()).toMatchObject({ isBuilt: false });
  await writeFile(join(root, "dist", "svc"), "not the one that was built");
  expect(await build()).toMatchObject({ isBuilt: true });
}, 240_000);
