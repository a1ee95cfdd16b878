import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { openFormImport } from "#commands/resources/imports/form/form-import.ts";
import type { Client } from "#client/surface.ts";
import type { ObjectType } from "#contract/object-types/object-types.ts";
import { captureEnvironment } from "#test/cli/world.ts";
import { testBaseUrl } from "#test/support/platform.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { createClient } from "#client/client.ts";
import { commandWorld } from "../../../world.ts";

const the = commandWorld();
const { signal } = new AbortController();
let folder = "";
let client: Client;
let type: ObjectType;

beforeAll(async () => {
  folder = await temporaryDirectory("form-import");
  const { tenant } = the().platform.workspaces;
  client = createClient({
    baseUrl: testBaseUrl,
    token: the().platform.users["tenant-admin"].token,
    tenantId: tenant,
    fetch: (request) => the().platform.answer(request),
  });
  const properties = {
    refNo: { type: "string", unique: true, required: true },
    applicant: { type: "string" },
    fee: { type: "number", minimum: 0 },
  } as const;
  type = await client.objectTypes.create({ body: { name: "Form", slug: "form", properties } });
});

async function opened(name: string, lines: readonly string[]) {
  const path = join(folder, name);
  await writeFile(path, `${lines.join("\n")}\n`);
  const environment = captureEnvironment([], {});
  const place = { environment, resolvePath: (given: string) => given };
  // The dashboard's wait for the file has its own end.
  const wait = new AbortController();
  const file = await openFormImport(place, { client, type, path, signal: wait.signal });
  wait.abort();
  return file;
}

const lines = [
  "Applications of the district;;;",
  "Ref. No;Applicant;Fee;Remarks",
  "A-1;Müller;1.234,50;",
  "A-2;Özdemir;80,00;late",
  "A-3;Smith;-5;",
];

describe("a file in the import form", () => {
  test("has its columns with the properties of their names", async () => {
    const { name, words, columns } = await opened("office.csv", lines);
    expect(name).toBe("office.csv");
    expect(words).toBe("CSV, utf-8, separated by ;, header in row 2");
    expect(columns).toEqual([
      { name: "Ref. No", property: "refNo" },
      { name: "Applicant", property: "applicant" },
      { name: "Fee", property: "fee" },
      { name: "Remarks", property: null },
    ]);
  });

  test("shows what the first rows would do, and writes nothing before the import", async () => {
    const file = await opened("office.csv", lines);
    const columns = { "Ref. No": "refNo", Applicant: "applicant", Fee: "fee", Remarks: null };
    const plain = await file.preview({ columns }, signal);
    expect(plain.map(({ row, outcome }) => [row, outcome])).toEqual([
      [3, "rejected"],
      [4, "rejected"],
      [5, "rejected"],
    ]);
    expect(plain[0]?.reasons).toEqual([
      expect.stringMatching(/^Fee \(C\) .*; the field \(numbers\) names its form, e\.g\./),
    ]);

    const settings = { columns, key: "refNo", number: "1.234,56" };
    const tried = await file.preview(settings, signal);
    expect(tried).toEqual([
      {
        row: 3,
        outcome: "create",
        reasons: [],
        data: { refNo: "A-1", applicant: "Müller", fee: 1234.5 },
      },
      expect.objectContaining({ row: 4, outcome: "create" }),
      expect.objectContaining({ row: 5, outcome: "rejected", reasons: [expect.any(String)] }),
    ]);
    expect((await client.useResources("form").list()).items).toEqual([]);

    const sent: number[] = [];
    const outcome = await file.run(settings, (rows) => sent.push(rows), signal);
    expect(outcome).toMatchObject({ created: 2, updated: 0, earlier: 0, rejected: 1 });
    expect(outcome.reasons).toEqual([expect.stringMatching(/^row 5: Fee \(C\) /)]);
    expect(sent.at(-1)).toBe(3);
    const again = await file.preview(settings, signal);
    expect(again.map(({ outcome: what }) => what)).toEqual(["update", "update", "rejected"]);
  });

  test("refuses settings that do not fit, as the command does", async () => {
    const file = await opened("office.csv", lines);
    const columns = { "Ref. No": "refNo", Applicant: "refNo", Fee: null, Remarks: null };
    await expect(file.preview({ columns }, signal)).rejects.toThrow("are both for refNo");
  });

  test("that has no rows, or is no table, is refused when it is opened", async () => {
    await expect(opened("empty.csv", [""])).rejects.toThrow("the file has no rows");
  });
});
