import { expect, test } from "vitest";
import { requireProject } from "#commands/kit/input/project.ts";

const contextOf = (project: object | undefined): never =>
  ({ settings: () => Promise.resolve({ project }) }) as never;

test("a project must exist, and be sound", async () => {
  const project = { root: "/a" };
  expect(await requireProject(contextOf(project))).toBe(project);
  await expect(requireProject(contextOf(undefined))).rejects.toMatchObject({ code: "E001" });
  const faulty = requireProject(contextOf({ ...project, fault: "its file is damaged" }));
  await expect(faulty).rejects.toMatchObject({ code: "E005", hint: "its file is damaged" });
});
