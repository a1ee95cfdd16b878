import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { field } from "#test/support/platform.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { commandWorld } from "../world.ts";

const the = commandWorld();
let folder = "";

beforeAll(async () => {
  folder = await temporaryDirectory("exports");
});

const properties = {
  code: { type: "string", unique: true, required: true },
  note: { type: "text" },
  height: { type: "number" },
  count: { type: "integer" },
  planted: { type: "date" },
  seen: { type: "datetime" },
  isOld: { type: "boolean" },
  tags: { type: "array", items: { type: "string" } },
  place: { type: "geopoint" },
};

const rows = [
  {
    code: "=1+1",
    note: ' two\n"lines" & <tags> _x0041_ \u0001 é 🌳 ',
    height: 0.1 + 0.2,
    count: -3,
    planted: "2024-02-29",
    seen: "2026-11-27T14:03:01.234Z",
    isOld: false,
    tags: ["a", "b, c"],
    place: { type: "Point", coordinates: [-0.1, 51.5] },
  },
  { code: "0042", note: "", planted: "1850-01-01", height: 1e21, isOld: true },
  { code: "'3", count: 9_007_199_254_740_991, tags: [] },
];

async function newType(): Promise<string> {
  const unique = crypto.randomUUID().slice(0, 8);
  const { tenant } = the().platform.workspaces;
  const made = await the()
    .platform.as("tenant-admin")
    .post(
      "/v4/data/resources/object-types",
      { name: `Tree${unique}`, slug: `tree-${unique}`, properties },
      { headers: { "x-tenant-id": tenant } },
    );
  expect(made.status).toBe(201);
  return `tree-${unique}`;
}

async function run(...words: string[]) {
  return the().json(["resources", ...words], { currentDirectory: folder });
}

async function stored(slug: string): Promise<unknown[]> {
  const { json } = await run("list", slug, "--sort", "code");
  const items = field(json, "items");
  return Array.isArray(items) ? items.map((item) => field(item, "data")) : [];
}

describe("resources export", () => {
  test("and import keep each value through CSV, XLSX, JSON and NDJSON", async () => {
    let source = await newType();
    await Bun.write(join(folder, "rows.json"), JSON.stringify(rows));
    expect((await run("import", source, "rows.json")).json).toMatchObject({
      created: 3,
      faults: [],
    });
    const wanted = await stored(source);
    expect(wanted).toHaveLength(3);
    for (const format of ["csv", "xlsx", "json", "ndjson", "xlsx"]) {
      const file = `trees.${format}`;
      expect((await run("export", source, file)).json).toMatchObject({ format, records: 3 });
      const target = await newType();
      const { json } = await run("import", target, file);
      expect(json).toMatchObject({ created: 3, rejected: 0 });
      expect(await stored(target)).toEqual(wanted);
      source = target;
    }
  });

  test("writes the chosen columns of the records that match", async () => {
    const slug = await newType();
    await Bun.write(join(folder, "rows.json"), JSON.stringify(rows));
    await run("import", slug, "rows.json");
    const where = '{"isOld":true}';
    await run("export", slug, "some.csv", "--columns", "code,planted", "--where", where);
    const text = await Bun.file(join(folder, "some.csv")).text();
    expect(text).toBe("code,planted\r\n0042,1850-01-01\r\n");
  });

  test("refuses a name without a format, and leaves a file as it was when it fails", async () => {
    expect((await run("export", "tree", "trees.doc")).json).toMatchObject({
      error: { code: "E305" },
    });
    await Bun.write(join(folder, "kept.csv"), "kept");
    expect((await run("export", "no-such-type", "kept.csv")).exitCode).toBe(1);
    expect(await Bun.file(join(folder, "kept.csv")).text()).toBe("kept");
  });
});
