import { mkdir, readdir, symlink } from "node:fs/promises";
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

describe("resources file get", () => {
  async function treeWith(path: string, filename = path): Promise<string> {
    const id = await tree();
    const words = ["upload", "tree", id, "photo", path, "--filename", filename];
    expect((await svc(words)).exitCode).toBe(0);
    return id;
  }

  test("writes the bytes to stdout unchanged", async () => {
    const id = await treeWith("bytes.bin");
    const { exitCode, stdout } = await svc(["get", "tree", id, "photo"], { as: "tenant-viewer" });
    expect([exitCode, stdout]).toEqual([0, "\u0000\ufffd\ufffd\n"]);
  });

  test("a terminal shows text without control sequences, and no other bytes", async () => {
    await Bun.write(join(folder, "red.txt"), "\u001b[31mred\n");
    const text = await svc(["get", "tree", await treeWith("red.txt"), "photo"], { terminal: 80 });
    expect([text.exitCode, text.stdout]).toEqual([0, "red\n"]);
    const bytes = await svc(["get", "tree", await treeWith("bytes.bin"), "photo"], {
      terminal: 80,
    });
    expect([bytes.exitCode, bytes.stdout]).toEqual([1, ""]);
    expect(bytes.stderr).toContain("Error E305: Invalid input: the response is 4 bytes of");
  });

  test("--output replaces a file in one step, and follows no link", async () => {
    const id = await treeWith("oak.txt");
    await Bun.write(join(folder, "kept.txt"), "kept");
    await Bun.write(join(folder, "there.txt"), "before");
    await symlink(join(folder, "kept.txt"), join(folder, "link.txt"));
    for (const name of ["there.txt", "link.txt", "new.txt"]) {
      const saved = await json(["get", "tree", id, "photo", "--output", name]);
      expect(saved.json).toMatchObject({
        property: "photo",
        output: join(folder, name),
        filename: "oak.txt",
        size: 8,
      });
      expect(await Bun.file(join(folder, name)).text()).toBe("An oak.\n");
    }
    expect(await Bun.file(join(folder, "kept.txt")).text()).toBe("kept");
  });

  test("a hostile name stays in the folder, and replaces nothing", async () => {
    const id = await treeWith("oak.txt", "../../.bash\u202erc");
    const words = ["get", "tree", id, "photo", "--output", "saved"];
    const { json: saved } = await json(words);
    expect(saved).toMatchObject({ output: join(folder, "saved", "bashrc") });
    expect(await readdir(join(folder, "saved"))).toEqual(["bashrc"]);
    const again = await json(words);
    expect(again.json).toMatchObject({ error: { code: "E205" } });
  });

  test("a path that can't be written leaves no file", async () => {
    const id = await treeWith("oak.txt");
    const lost = await json(["get", "tree", id, "photo", "--output", "no/such/folder.txt"]);
    expect(lost.json).toMatchObject({
      error: {
        code: "E305",
        message: "Invalid input: no/such/folder.txt can't be written: its folder does not exist",
      },
    });
    const unmade = await json(["get", "tree", id, "photo", "--output", "unmade/"]);
    expect(unmade.json).toMatchObject({
      error: { code: "E305", message: "Invalid input: the folder unmade/ does not exist" },
    });
    expect(await readdir(folder)).not.toContain("unmade");
    const device = await json(["get", "tree", id, "photo", "--output", "/dev/null"]);
    expect(device.json).toMatchObject({
      error: { code: "E305", message: "Invalid input: /dev/null is not a file" },
    });
  });

  test("with JSON the bytes need --output", async () => {
    const { json: answer } = await json(["get", "tree", none, "photo"], { fetch: platformDown });
    expect(answer).toMatchObject({
      error: { code: "E303", message: "Required field missing: --output" },
    });
  });

  test("--url gives a URL that needs no token", async () => {
    const id = await treeWith("oak.txt");
    const { stdout } = await svc(["get", "tree", id, "photo", "--url"], { as: "tenant-viewer" });
    const response = await the().platform.platform.fetch(new Request(stdout.trim()));
    expect([response.status, await response.text()]).toEqual([200, "An oak.\n"]);
    const link = await json(["get", "tree", id, "photo", "--url"]);
    expect(link.json).toEqual({ url: expect.any(String), expiresAt: expect.any(String) });
  });

  test("a file that arrives damaged is not saved", async () => {
    const id = await treeWith("oak.txt");
    const { platform } = the().platform;
    const damaged = await json(["get", "tree", id, "photo", "--output", "damaged.txt"], {
      fetch: async (request) => {
        const response = await platform.fetch(request);
        return new Response("An ash.\n", { status: 200, headers: response.headers });
      },
    });
    expect(damaged.json).toMatchObject({
      error: { code: "E203", message: expect.stringContaining("do not match their digest") },
    });
    expect(await readdir(folder)).not.toContain("damaged.txt");
    expect((await readdir(folder)).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  });
});
