import { field } from "#test/support/platform.ts";
import type { TestPlatform } from "#test/support/platform.ts";
import { bodies, ledger, record } from "./ledger-cases.ts";
import type { RouteTable } from "./route-case.ts";

const digest = "ab".repeat(32);

/** The names of a record, and a new `{digest}`. */
async function newFile(the: TestPlatform): Promise<Record<string, string>> {
  return { ...(await record(the)), digest: crypto.randomUUID().replaceAll("-", "").repeat(2) };
}

/** The names of a new file, and an own import as `{importId}`. */
async function startedImport(the: TestPlatform): Promise<Record<string, string>> {
  const names = await newFile(the);
  const path = `/v4/data/resources/${the.workspaces.tenant}/ledger/imports`;
  const body = { digest: names["digest"], filename: "ledger.csv" };
  const { json } = await the.as("tenant-admin").post(path, body);
  return { ...names, importId: String(field(json, "id")) };
}

const imported = { ...ledger, importId: "{importId}" };

/** Imports of records from files. */
export const importCases: RouteTable = {
  "imports.start": {
    before: newFile,
    good: [
      {
        name: "starts or continues an import",
        params: ledger,
        body: { digest: "{digest}", filename: "ledger.csv" },
        status: 201,
        answers: { type: "ledger", filename: "ledger.csv", status: "open", row: 0, refused: [] },
      },
    ],
    bad: bodies(
      ["no digest", { filename: "ledger.csv" }, "#/digest"],
      ["another digest", { digest: "abc", filename: "ledger.csv" }, "#/digest"],
      ["no name", { digest, filename: "" }, "#/filename"],
    ),
  },
  "imports.get": {
    before: startedImport,
    as: "tenant-admin",
    callers: { "tenant-staff": 404, "tenant-builder": 404 },
    good: [
      {
        name: "answers the progress",
        params: imported,
        answers: { id: "{importId}", row: 0, created: 0, updated: 0 },
      },
    ],
    bad: [],
  },
  "imports.rows": {
    before: startedImport,
    as: "tenant-admin",
    callers: { "tenant-staff": 404, "tenant-builder": 404 },
    good: [
      {
        name: "writes rows, and names those that it refuses",
        params: imported,
        body: {
          items: [
            { op: "upsert", row: 2, property: "reference", value: "{reference}", data: {} },
            { op: "create", row: 3, data: { reference: "{fresh}" } },
            { op: "create", row: 4, data: {} },
          ],
          last: true,
        },
        status: 207,
        answers: {
          succeeded: 2,
          failed: 1,
          results: [
            { index: 0, id: "{id}", status: 200 },
            { index: 1, status: 201 },
            { index: 2, status: 422, error: { code: "validation-failed" } },
          ],
        },
      },
      {
        name: "takes the number of a last row",
        params: imported,
        body: { items: [], through: 9 },
        answers: { results: [], succeeded: 0 },
      },
    ],
    bad: [
      ...bodies(
        ["no items", {}, "#/items"],
        [
          "a row before the first",
          { items: [{ op: "create", row: 0, data: {} }] },
          "#/items/0/row",
        ],
        ["another operation", { items: [{ op: "delete", row: 1 }] }, "#/items/0/op"],
      ),
      {
        name: "rows in another order",
        body: {
          items: [
            { op: "create", row: 3, data: {} },
            { op: "create", row: 2, data: {} },
          ],
        },
        status: 409,
        code: "conflict",
        pointers: [],
      },
    ],
  },
};
