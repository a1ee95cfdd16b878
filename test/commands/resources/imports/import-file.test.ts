import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { field } from "#test/support/platform.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { commandWorld } from "../../world.ts";

const the = commandWorld();
let folder = "";

beforeAll(async () => {
  folder = await temporaryDirectory("imports");
});

const properties = {
  refNo: { type: "string", unique: true, required: true },
  applicant: { type: "string" },
  received: { type: "date" },
  fee: { type: "number", minimum: 0 },
  urgent: { type: "boolean" },
};

/** A new type; returns its slug. */
async function newType(): Promise<string> {
  const unique = crypto.randomUUID().slice(0, 8);
  const slug = `request-${unique}`;
  const { tenant } = the().platform.workspaces;
  const made = await the()
    .platform.as("tenant-admin")
    .post(
      "/v4/data/resources/object-types",
      { name: `Request${unique}`, slug, properties },
      { headers: { "x-tenant-id": tenant } },
    );
  expect(made.status).toBe(201);
  return slug;
}

async function importing(slug: string, name: string, ...flags: string[]) {
  return the().json(["resources", "import", slug, name, ...flags], { currentDirectory: folder });
}

/** The data of all records in the order of their keys. */
async function stored(slug: string): Promise<Record<string, unknown>[]> {
  const words = ["resources", "list", slug, "--limit", "500", "--sort", "refNo"];
  const items = field((await the().json(words)).json, "items");
  return Array.isArray(items)
    ? items.map((item) => field(item, "data") as Record<string, unknown>)
    : [];
}

const office = [
  "Planning applications of the district;;;;",
  "",
  "Ref. No;Applicant;Received;Fee;Remarks",
  "A-1;Müller;14.03.2026;1.234,50;",
  "",
  "A-2;Özdemir;1.4.26;€ 80,00;late",
  "A-3;Smith;31.02.2026;12,5;",
  "A-4;Jones;02.04.2026;-5;",
  "Total;;;1.321,50;",
  "",
].join("\r\n");
const forms = ["--dates", "D.M.YY", "--numbers", "1.234,56"];

describe("resources import", () => {
  test("reads a spreadsheet as an office has it, each row right or named", async () => {
    const slug = await newType();
    // In windows-1252 each of these characters is one byte.
    const bytes = Buffer.from(office.replaceAll("€", "\x80"), "latin1");
    await Bun.write(join(folder, "office.csv"), bytes);
    const flags = ["--map", "Remarks=", "--rejects", "rejects.csv", "--numbers", "1.234,56"];
    const dates = ["--dates", "DD.MM.YYYY"];
    const first = await importing(slug, "office.csv", ...flags, ...dates);
    expect(first.json).toMatchObject({
      format: "CSV, windows-1252, separated by ;",
      columns: [
        { column: "Ref. No", property: "refNo" },
        { column: "Applicant", property: "applicant" },
        { column: "Received", property: "received" },
        { column: "Fee", property: "fee" },
        { column: "Remarks", property: null },
      ],
      created: 1,
      rejected: 3,
      skipped: [{ row: 9, reason: "is a total" }],
      faults: [
        { row: 6, column: "Received (C)", reason: '"1.4.26" is not a date like DD.MM.YYYY' },
        { row: 7, column: "Received (C)" },
        { row: 8, column: "Fee (D)", reason: "must be at least 0" },
      ],
    });
    const formless = await importing(slug, "office.csv", "--dry-run", "--map", "Remarks=");
    expect(formless.stdout).toContain("--dates names its form, e.g. DD.MM.YYYY");
    expect(first.exitCode).toBe(1);
    expect(first.stderr).toContain("header in row 3");

    const path = join(folder, "rejects.csv");
    const rejects = await Bun.file(path).text();
    expect(rejects).toMatch(/^Ref\. No;.+;#row;#column;#reason\r\n/);
    await Bun.write(
      path,
      rejects.replace("31.02.2026", "28.02.26").replace("02.04.2026", "2.4.26"),
    );
    const again = await importing(slug, "rejects.csv", "--map", "Remarks=", ...forms);
    expect(again.json).toMatchObject({ created: 2, rejected: 1 });
    expect(await stored(slug)).toEqual([
      { refNo: "A-1", applicant: "Müller", received: "2026-03-14", fee: 1234.5 },
      { refNo: "A-2", applicant: "Özdemir", received: "2026-04-01", fee: 80 },
      { refNo: "A-3", applicant: "Smith", received: "2026-02-28", fee: 12.5 },
    ]);
  });

  test("shows what each row would do, and writes nothing", async () => {
    const slug = await newType();
    await Bun.write(join(folder, "first.csv"), "refNo\nB-1\n");
    await importing(slug, "first.csv");
    await Bun.write(join(folder, "dry.csv"), "refNo,fee\nB-1,3\nB-2,4\nB-3,-1\nB-2,5\n");
    const { json } = await importing(slug, "dry.csv", "--key", "refNo", "--dry-run");
    expect(json).toMatchObject({
      dryRun: true,
      importId: null,
      created: 1,
      updated: 1,
      rows: [
        { row: 2, action: "update" },
        { row: 3, action: "create" },
      ],
      faults: [
        { row: 5, column: "refNo (A)", reason: "B-2 is already the key of row 3" },
        { row: 4, column: "fee (B)" },
      ],
    });
    expect(await stored(slug)).toEqual([{ refNo: "B-1" }]);
  });

  test("merges by a key, and an empty cell leaves the value unless the mapping clears it", async () => {
    const slug = await newType();
    const all = '{"refNo":"C-1","applicant":"Ann","fee":7,"urgent":true}';
    await Bun.write(join(folder, "all.ndjson"), `${all}\n`);
    await importing(slug, "all.ndjson");
    await Bun.write(join(folder, "some.csv"), "refNo,applicant,fee,dringend\nC-1,,,nein\n");
    const mapping = {
      columns: {
        applicant: { property: "applicant", empty: "null" },
        dringend: { property: "urgent", true: "ja", false: "nein" },
      },
      key: "refNo",
    };
    await Bun.write(join(folder, "mapping.json"), JSON.stringify(mapping));
    const { json } = await importing(slug, "some.csv", "--mapping", "mapping.json");
    expect(json).toMatchObject({ created: 0, updated: 1 });
    expect(await stored(slug)).toEqual([{ refNo: "C-1", fee: 7, urgent: false }]);
  });

  test("deletes the records without a row, and refuses that for a file that may be cut", async () => {
    const slug = await newType();
    await Bun.write(join(folder, "three.csv"), "refNo\nD-1\nD-2\nD-3\n");
    await importing(slug, "three.csv");
    const flags = ["--key", "refNo", "--delete-missing", "--force"];
    await Bun.write(join(folder, "cut.csv"), "refNo\nD-1");
    await Bun.write(join(folder, "reasons.csv"), "refNo,#row,#reason\nD-1,2,late\n");
    for (const name of ["cut.csv", "reasons.csv"]) {
      expect((await importing(slug, name, ...flags)).json).toMatchObject({
        error: { code: "E305" },
      });
    }
    await Bun.write(join(folder, "bad.csv"), "refNo,fee\nD-1,-1\n");
    expect((await importing(slug, "bad.csv", ...flags)).json).toMatchObject({
      missing: null,
      deleted: 0,
    });
    expect(await stored(slug)).toHaveLength(3);
    await Bun.write(join(folder, "two.csv"), "refNo\nD-1\nD-4\n");
    const dry = await importing(slug, "two.csv", ...flags, "--dry-run");
    expect(dry.json).toMatchObject({ missing: 2, deleted: 0 });
    const { json } = await importing(slug, "two.csv", ...flags);
    expect(json).toMatchObject({ created: 1, updated: 1, missing: 2, deleted: 2 });
    expect((await stored(slug)).map(({ refNo }) => refNo)).toEqual(["D-1", "D-4"]);
  });

  test("names the columns that have no place before anything is written", async () => {
    const slug = await newType();
    await Bun.write(join(folder, "other.csv"), "refNo,colour,size\nE-1,red,2\n");
    const { exitCode, json } = await importing(slug, "other.csv");
    expect(exitCode).toBe(1);
    expect(JSON.stringify(json)).toContain(`has no property for \\"colour\\", \\"size\\"`);
    expect((await importing(slug, "other.csv", "--skip-unmatched")).exitCode).toBe(0);
    expect(await stored(slug)).toEqual([{ refNo: "E-1" }]);
  });

  test("continues after each of several kills, every row once and each bad row named", async () => {
    const slug = await newType();
    const bad = new Set([7, 700, 1_999]);
    const lines = Array.from({ length: 2_400 }, (_, at) => {
      return `F-${String(at).padStart(4, "0")},${bad.has(at) ? -1 : at}`;
    });
    await Bun.write(join(folder, "many.csv"), `refNo,fee\n${lines.join("\n")}\n`);
    const run = (killAt: number | undefined) => {
      const killed = new AbortController();
      let requests = 0;
      return the().json(["resources", "import", slug, "many.csv"], {
        currentDirectory: folder,
        signal: killed.signal,
        fetch: async (request) => {
          if (!request.url.endsWith("/rows")) return the().platform.platform.fetch(request);
          requests += 1;
          // Some requests are cut before they arrive, others after they were answered.
          const isLast = requests === killAt;
          if (isLast && requests % 2 === 0) killed.abort();
          const answer = await the().platform.platform.fetch(request);
          if (isLast) killed.abort();
          killed.signal.throwIfAborted();
          return answer;
        },
      });
    };
    for (const killAt of [1, 2, 1, 2]) expect((await run(killAt)).exitCode).toBe(130);
    const { exitCode, json } = await run(undefined);
    expect(exitCode).toBe(1);
    const faults = field(json, "faults");
    expect(Array.isArray(faults) && faults.map((fault) => field(fault, "row"))).toEqual([
      9, 702, 2_001,
    ]);
    const pages = await the().svc(["resources", "list", slug, "--all", "--columns", "refNo"]);
    const keys = pages.stdout.trim().split("\n");
    expect(keys).toHaveLength(2_397);
    expect(new Set(keys).size).toBe(2_397);
  });
});
