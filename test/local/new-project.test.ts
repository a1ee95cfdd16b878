import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeProject, requireRoom, type NewProject } from "#local/new-project.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

const files = ["README.md", "src/main.ts", "src/deep/part.ts"].map((path) => ({
  path,
  kind: "own" as const,
  text: `text of ${path}\n`,
}));

function projectIn(root: string, changes: Partial<NewProject> = {}): NewProject {
  const facts = { name: "shed", packageProfile: "external", template: "script" } as const;
  return { root, isCurrent: false, facts, files, isManaged: true, ...changes };
}

/** Writes what a call leaves that is killed before its last files. */
async function writeRest(root: string): Promise<void> {
  for (const { path, text } of files.slice(1)) await Bun.write(join(root, path), text);
  await Bun.write(join(root, `.svc-${await otherMark()}-${crypto.randomUUID()}.tmp`), "text");
  await Bun.write(join(root, ".env.local"), "SVC_APP_KEY=shed\n");
}

test("a new folder gets its name when it is complete, and the rest of a killed call is removed", async () => {
  const parent = await temporaryDirectory("work");
  const killed = join(parent, `.svc-init-${await otherMark()}-${crypto.randomUUID()}`);
  await Bun.write(join(killed, "README.md"), "half");
  const project = projectIn(join(parent, "shed"));
  const unwritable = { path: "bad\0name", kind: "own" as const, text: "" };
  const failing = makeProject({ ...project, files: [...files, unwritable] }, undefined);
  await expect(failing).rejects.toThrow();
  expect(await readdir(parent)).toEqual([]);
  await requireRoom(project);
  await makeProject(project, new Map([["SVC_APP_KEY", "shed"]]));
  expect(await readdir(parent)).toEqual(["shed"]);
  const entries = [".env.local", ".svc", "README.md", "src"];
  expect((await readdir(join(parent, "shed"))).toSorted()).toEqual(entries);
  await expect(requireRoom(project)).rejects.toMatchObject({ code: "E205" });
});

test.each([{ isCurrent: true }, { isCurrent: false }])(
  "a call goes on where a killed one ended in a folder that was there ($isCurrent)",
  async ({ isCurrent }) => {
    const root = await temporaryDirectory("work");
    await writeRest(root);
    const project = projectIn(root, { isCurrent });
    await requireRoom(project);
    await makeProject(project, undefined);
    const entries = [".env.local", ".svc", "README.md", "src"];
    expect((await readdir(root)).toSorted()).toEqual(entries);
    await expect(requireRoom(project)).rejects.toMatchObject({ code: "E205" });
  },
);

test("other files and other texts are never taken for a rest", async () => {
  const root = await temporaryDirectory("work");
  await writeRest(root);
  const refused = (changes: Partial<NewProject> = {}) =>
    expect(requireRoom(projectIn(root, changes))).rejects.toMatchObject({ code: "E205" });
  await mkdir(join(root, "node_modules"));
  await refused();
  await requireRoom(projectIn(root, { isCurrent: true }));
  await rm(join(root, "node_modules"), { recursive: true });
  await Bun.write(join(root, "src/deep/part.ts"), "text of mine\n");
  await refused();
  await refused({ isCurrent: true });
  // A complete project without a record is no rest.
  for (const { path, text } of files) await Bun.write(join(root, path), text);
  await refused({ isManaged: false });
  await requireRoom(projectIn(root));
});

/** The mark of a writer that has ended. */
async function otherMark(): Promise<string> {
  const { writerMark } = await import("#lib/writer-mark.ts");
  const [machine = ""] = ((await writerMark()) ?? "").split(".");
  return `${machine}.4194305.1`;
}
