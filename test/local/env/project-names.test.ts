import { expect, test } from "vitest";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { projectNames } from "#local/env/project-names.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

test("a project is named by its package and its repository", async () => {
  const root = await temporaryDirectory();
  expect(await projectNames(root)).toEqual([]);
  await writeFile(join(root, "package.json"), '{"name":"trees"}');
  await mkdir(join(root, ".git"));
  const config =
    '[core]\n[remote "up"]\n\turl = x/y\n[remote "origin"]\n\turl = git@a.test:b/tree-app.git\n';
  await writeFile(join(root, ".git/config"), config);
  expect(await projectNames(root)).toEqual(["trees", "tree-app"]);
});
