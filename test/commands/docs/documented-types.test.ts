import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { documentFiles } from "#local/templates/document-files.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { commandWorld } from "../world.ts";

/** The examples of docs/document-types.md, which new projects have. */

const the = commandWorld();
const [configuration, manifest] = documentFiles;
let currentDirectory = "";

beforeAll(async () => {
  currentDirectory = await temporaryDirectory("types");
  for (const { path, text } of documentFiles) await Bun.write(join(currentDirectory, path), text);
});

test("the page shows the files of a new project", async () => {
  const page = await Bun.file(join(import.meta.dirname, "../../../docs/document-types.md")).text();
  const examples = Array.from(page.matchAll(/```json\n(.*?)```/gs), ([, text]) => text);
  expect(examples).toEqual([configuration?.text, manifest?.text]);
});

test("the document type is stored as it is written, and every field can be read", async () => {
  const words = ["docs", "configure-type", "--file", configuration?.path ?? ""];
  const stored = await the().json(words, { currentDirectory });
  expect(stored).toMatchObject({
    exitCode: 0,
    json: { verified: true, runtimeSync: { status: "applied" } },
  });
});

test("the file for content understanding is valid, planned and applied", async () => {
  const { path = "" } = manifest ?? {};
  const run = (...words: string[]) =>
    the().json(["content-understanding", ...words, "--file", path], { currentDirectory });
  expect(await run("validate")).toMatchObject({ exitCode: 0, json: { valid: true } });
  const tenant = ["--tenant-id", the().platform.workspaces.tenant];
  const planned = await run("plan", ...tenant, "--output", "plan.json");
  expect(planned).toMatchObject({ exitCode: 0, json: { actions: [{}, {}, {}] } });
  const applied = await run("apply", ...tenant, "--plan", "plan.json");
  expect(applied).toMatchObject({ exitCode: 0, json: { status: "succeeded" } });
});
