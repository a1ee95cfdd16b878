import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { field } from "#test/support/platform.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { commandWorld, platformDown, type CallSettings } from "../../world.ts";

const the = commandWorld();
const none = "01890000-0000-7000-8000-000000000000";
let folder = "";
let settings: CallSettings = {};

beforeAll(async () => {
  const { tenant } = the().platform.workspaces;
  const properties = {
    species: { type: "string" },
    photo: { type: "file" },
    plan: { type: "file", accept: ["application/pdf"] },
  };
  const type = { name: "Tree", slug: "tree", properties };
  const headers = { "x-tenant-id": tenant };
  const made = await the()
    .platform.as("tenant-admin")
    .post("/v4/data/resources/object-types", type, { headers });
  expect(made.status).toBe(201);
  folder = await temporaryDirectory("files");
  await Bun.write(join(folder, "oak.txt"), "An oak.\n");
  await Bun.write(join(folder, "bytes.bin"), new Uint8Array([0, 255, 128, 10]));
  await mkdir(join(folder, "saved"));
  settings = { as: "tenant-staff", currentDirectory: folder };
});

async function tree(): Promise<string> {
  const { json } = await the().json(["resources", "create", "tree", "--data", "{}"]);
  return String(field(json, "id"));
}

const svc = (words: readonly string[], more: CallSettings = {}) =>
  the().svc(["resources", "file", ...words], { ...settings, ...more });
const json = (words: readonly string[], more: CallSettings = {}) =>
  the().json(["resources", "file", ...words], { ...settings, ...more });

describe("resources file upload", () => {
  test("prints the stored file, as text and as JSON", async () => {
    const id = await tree();
    const { exitCode, stdout, stderr } = await svc(["upload", "tree", id, "photo", "oak.txt"]);
    expect([exitCode, stderr]).toEqual([0, ""]);
    expect(stdout).toBe(
      "property      photo\n" +
        "filename      oak.txt\n" +
        "content type  text/plain;charset=utf-8\n" +
        "size          8 bytes\n" +
        "sha256        3d9c431ae2d1ff5540dd04de0ce38989bdd197a46a3620ece41edfea36f554b3\n" +
        "version       2\n",
    );
    const named = ["--filename", "naïve \u001b[31m.bin", "--content-type", "image/png"];
    const again = await json(["upload", "tree", id, "photo", "bytes.bin", ...named]);
    expect(again.json).toEqual({
      property: "photo",
      filename: "naïve \u001b[31m.bin",
      contentType: "image/png",
      size: 4,
      sha256: "6d6f7836f1e146dc0204afb5133dae52fdc05603d8ac2dc793b481b0e0829fd1",
      version: 3,
    });
    const shown = await the().json(["resources", "get", "tree", id]);
    expect(shown.json).toMatchObject({ version: 3, data: { photo: { size: 4 } } });
  });

  test("keeps the file's name unchanged", async () => {
    const filename = 'a"b;c\\d%41.txt';
    await Bun.write(join(folder, filename), "x");
    const { json: stored } = await json(["upload", "tree", await tree(), "photo", `./${filename}`]);
    expect(stored).toMatchObject({ filename });
  });

  test.each([
    ["bytes.bin", "scan.png", "image/png"],
    ["oak.txt", "scan", "text/plain;charset=utf-8"],
    ["-", "scan.PDF", "application/pdf"],
    ["-", "scan", "application/octet-stream"],
  ])("%s as %s has the type %s", async (path, filename, contentType) => {
    const words = ["upload", "tree", await tree(), "photo", path, "--filename", filename];
    const { json: stored } = await json(words, path === "-" ? { stdin: "piped" } : {});
    expect(stored).toMatchObject({ filename, contentType });
  });

  test("refuses an empty stdin: the command before it may have failed", async () => {
    const words = ["upload", "tree", none, "photo", "-", "--filename", "a.log"];
    const { exitCode, json: refused } = await json(words, { stdin: "", fetch: platformDown });
    expect(exitCode).toBe(2);
    expect(refused).toMatchObject({
      error: { code: "E305", message: "Invalid input: stdin is empty" },
    });
  });

  test("accepts stdin, which needs a name", async () => {
    const id = await tree();
    const words = ["upload", "tree", id, "photo", "-"];
    const { json: stored } = await json([...words, "--filename", "pipe.log"], { stdin: "piped" });
    expect(stored).toMatchObject({
      filename: "pipe.log",
      contentType: "text/plain;charset=utf-8",
      size: 5,
    });
    const nameless = await json(words, { stdin: "piped", fetch: platformDown });
    expect(nameless).toMatchObject({
      exitCode: 2,
      json: { error: { code: "E303", message: "Required field missing: --filename" } },
    });
    const typed = await svc([...words, "--filename", "x"], { terminal: 80, fetch: platformDown });
    expect([typed.exitCode, typed.stderr]).toEqual([2, expect.stringContaining("E305")]);
  });

  test.each([
    ["none.txt", "Invalid input: none.txt does not exist"],
    ["saved", "Invalid input: saved is not a file"],
  ])("%s is refused before any network call", async (path, message) => {
    const { exitCode, json: answer } = await json(["upload", "tree", none, "photo", path], {
      fetch: platformDown,
    });
    expect([exitCode, answer]).toMatchObject([2, { error: { code: "E305", message } }]);
  });

  test("reports what the platform refuses", async () => {
    const id = await tree();
    const wrong = await json(["upload", "tree", id, "plan", "oak.txt"]);
    expect(wrong.json).toMatchObject({
      error: { code: "E304", status: 415, message: expect.stringContaining("application/pdf") },
    });
    const nowhere = await json(["upload", "tree", none, "photo", "oak.txt"]);
    expect(nowhere.json).toMatchObject({
      error: { code: "E202", message: `File photo of tree ${none} not found`, status: 404 },
    });
    const noProperty = await json(["upload", "tree", id, "species", "oak.txt"]);
    expect(noProperty.json).toMatchObject({
      error: {
        code: "E202",
        message: `File species of tree ${id} not found`,
        errors: [{ pointer: "#/path/propertyName" }],
      },
    });
    const viewer = await json(["upload", "tree", id, "photo", "oak.txt"], { as: "tenant-viewer" });
    expect(viewer.json).toMatchObject({ error: { code: "E204", status: 403 } });
  });

  test("is sent once: a connection that breaks after the last byte leaves the outcome unknown", async () => {
    let calls = 0;
    const { exitCode, json: answer } = await json(["upload", "tree", none, "photo", "oak.txt"], {
      fetch: async (request) => {
        calls += 1;
        await request.arrayBuffer();
        throw Object.assign(new Error("reset"), { code: "ECONNRESET" });
      },
    });
    expect(calls).toBe(1);
    expect([exitCode, answer]).toMatchObject([
      1,
      { error: { code: "E201", hint: expect.stringContaining("the outcome is unknown") } },
    ]);
  });

  test("shows the progress on a terminal", async () => {
    const id = await tree();
    const { stderr } = await svc(["upload", "tree", id, "photo", "oak.txt"], { terminal: 80 });
    expect(stderr).toBe("\r\u001b[KSending oak.txt 100 %\r\u001b[K");
  });
});
