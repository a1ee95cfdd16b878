import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { field } from "#test/support/platform.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { commandWorld } from "../../../world.ts";

const the = commandWorld();
let folder = "";
let slug = "";

beforeAll(async () => {
  const root = await temporaryDirectory("row-files");
  folder = join(root, "own");
  await mkdir(join(folder, "plans"), { recursive: true });
  await writeFile(join(root, "secret.txt"), "secret");
  await writeFile(join(folder, "plans", "one.txt"), "An elm.\n");
  await writeFile(join(folder, "two.txt"), "An oak.\n");
  await symlink(join(root, "secret.txt"), join(folder, "link.txt"));
  const unique = crypto.randomUUID().slice(0, 8);
  slug = `plan-${unique}`;
  const { tenant } = the().platform.workspaces;
  const properties = {
    refNo: { type: "string", unique: true, required: true },
    plan: { type: "file" },
  };
  const body = { name: `Plan${unique}`, slug, properties };
  const headers = { "x-tenant-id": tenant };
  const admin = the().platform.as("tenant-admin");
  const made = await admin.post("/v4/data/resources/object-types", body, { headers });
  expect(made.status).toBe(201);
});

async function importing(lines: readonly string[], ...flags: string[]) {
  await writeFile(join(folder, "rows.csv"), `${["Ref No;Plan", ...lines].join("\n")}\n`);
  const words = ["resources", "import", slug, "rows.csv", ...flags];
  return the().json(words, { currentDirectory: folder });
}

async function planOf(refNo: string): Promise<unknown> {
  const where = JSON.stringify({ refNo });
  const { json } = await the().json(["resources", "list", slug, "--where", where]);
  const [item] = field(json, "items") as unknown[];
  return item === undefined ? "no record" : field(field(item, "data"), "plan");
}

describe("a column of files", () => {
  test("is uploaded to the record of its row, once for equal bytes", async () => {
    const rows = ["A-1;plans\\one.txt", "A-2;two.txt", "A-3;"];
    const tried = await importing(rows, "--key", "refNo", "--dry-run");
    expect(tried).toMatchObject({ exitCode: 0, json: { created: 3, files: { sent: 0 } } });
    expect(await planOf("A-1")).toBe("no record");

    const first = await importing(rows, "--key", "refNo");
    expect(first.json).toMatchObject({ created: 3, rejected: 0, files: { sent: 2, unchanged: 0 } });
    expect(await planOf("A-1")).toMatchObject({ filename: "one.txt", size: 8 });
    expect(await planOf("A-3")).toBeUndefined();

    await writeFile(join(folder, "two.txt"), "A birch.\n");
    const again = await importing(rows, "--key", "refNo");
    expect(again.json).toMatchObject({ updated: 3, files: { sent: 1, unchanged: 1 } });
    expect(await planOf("A-2")).toMatchObject({ size: 9 });
  });

  test("rejects rows whose files are missing or outside of the folder, before they are written", async () => {
    const rows = ["B-1;none.txt", "B-2;../secret.txt", "B-3;link.txt", "B-4;plans", "B-5;two.txt"];
    const { exitCode, json } = await importing(rows, "--key", "refNo");
    expect(exitCode).toBe(1);
    expect(json).toMatchObject({ created: 1, rejected: 4, files: { sent: 1 } });
    expect(field(json, "faults")).toEqual([
      { row: 2, column: "Plan (B)", reason: "none.txt does not exist" },
      { row: 3, column: "Plan (B)", reason: expect.stringContaining("../secret.txt is not in ") },
      { row: 4, column: "Plan (B)", reason: expect.stringContaining("link.txt is not in ") },
      { row: 5, column: "Plan (B)", reason: "plans is not a file" },
    ]);
    expect(await planOf("B-2")).toBe("no record");
  });

  test("needs a key, by which its record is found", async () => {
    const { exitCode, json } = await importing(["C-1;two.txt"]);
    expect(exitCode).toBe(1);
    expect(field(json, "faults")).toEqual([
      { row: 2, column: "Plan (B)", reason: "names a file, which needs --key" },
    ]);
  });

  test("that was interrupted after its rows is uploaded by the same command", async () => {
    const rows = ["D-1;two.txt", "D-2;plans/one.txt"];
    await writeFile(join(folder, "rows.csv"), `${["Ref No;Plan", ...rows].join("\n")}\n`);
    const words = ["resources", "import", slug, "rows.csv", "--key", "refNo"];
    let uploads = 0;
    const cut = await the().json(words, {
      currentDirectory: folder,
      fetch: async (request) => {
        const isUpload = new URL(request.url).pathname.includes("/files/");
        if (isUpload) uploads += 1;
        if (isUpload && uploads === 2) {
          await request.body?.cancel();
          throw Object.assign(new Error("connection reset"), { code: "ECONNRESET" });
        }
        return the().platform.answer(request);
      },
    });
    expect(cut.exitCode).toBe(1);
    expect(await planOf("D-2")).toBeUndefined();
    const { json } = await the().json(words, { currentDirectory: folder });
    expect(json).toMatchObject({
      created: 0,
      earlier: 2,
      rejected: 0,
      files: { sent: 1, unchanged: 1 },
    });
    expect(await planOf("D-2")).toMatchObject({ filename: "one.txt" });
  });
});
