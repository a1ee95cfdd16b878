import { beforeAll, describe, expect, test } from "vitest";
import { apiCases, type ApiCase } from "#test/support/api-cases.ts";
import { describePlatform, type TestPlatform } from "#test/support/platform.ts";

const slug = "hostile-record";
const type = {
  name: "HostileRecord",
  slug,
  properties: { note: { type: "text" }, count: { type: "integer", indexed: true } },
};
const records = "/v4/data/resources/{tenant}/hostile-record";
const json = { "content-type": "application/json" };

const repeated = (open: string, close: string, times: number, inner: string): string =>
  open.repeat(times) + inner + close.repeat(times);

const aggregate = (where: string): Pick<ApiCase, "method" | "path" | "headers" | "rawBody"> => ({
  method: "POST",
  path: `${records}/aggregate`,
  headers: json,
  rawBody: `{"metrics":{"n":{"op":"count"}},"where":${where}}`,
});
const create = (rawBody: string): Pick<ApiCase, "method" | "path" | "headers" | "rawBody"> => ({
  method: "POST",
  path: records,
  headers: json,
  rawBody,
});
const pattern = (source: string): Pick<ApiCase, "method" | "path" | "headers" | "rawBody"> =>
  aggregate(JSON.stringify({ note: { $regex: source } }));

/** Requests that are refused, with their status. */
const refused: readonly ApiCase[] = [
  {
    name: "$in of ten million",
    ...aggregate(`{"count":{"$in":[${"1,".repeat(10_000_000)}1]}}`),
    expect: { status: 413, code: "content-too-large" },
  },
  {
    name: "$in of four million, which just fit a body",
    ...aggregate(`{"count":{"$in":[${"1,".repeat(4_000_000)}1]}}`),
    expect: { status: 400, code: "malformed-body" },
  },
  {
    name: "$in of nine hundred thousand",
    ...aggregate(`{"count":{"$in":[${"1,".repeat(900_000)}1]}}`),
    expect: { status: 422, pointers: ["#/where/count/$in"] },
  },
  {
    name: "$or 200 deep",
    ...aggregate(repeated('{"$or":[', "]}", 200, '{"count":1}')),
    expect: { status: 400, code: "malformed-body" },
  },
  {
    name: "$or 31 deep",
    ...aggregate(repeated('{"$or":[', "]}", 31, '{"count":1}')),
    expect: { status: 422, code: "validation-failed" },
  },
  {
    name: "$or of a thousand",
    ...aggregate(`{"$or":[${'{"count":1},'.repeat(1_000)}{"count":1}]}`),
    expect: { status: 422, pointers: ["#/where/$or"] },
  },
  {
    name: "a filter of half a million names",
    ...aggregate(`{${Array.from({ length: 500_000 }, (_, index) => `"k${index}":1`).join()}}`),
    expect: { status: 400, code: "malformed-body" },
  },
  ...[
    ["of 2,000 alternatives", Array.from({ length: 2_000 }, (_, at) => `x${at}a*`).join("|")],
    ["that repeats 1,000 times 1,000 times", "(a{1,1000}){1,1000}$"],
    ["whose repetitions multiply", "((((a{0,99}){0,99}){0,99}){0,99})$"],
    ["that opens and never closes", "(".repeat(900)],
    ["that looks back at itself", String.raw`^(a+)\1+$`],
    ["that looks around", "(?=(a+))a*b"],
  ].map(([name = "", source = ""]): ApiCase => ({
    name: `$regex ${name}`,
    ...pattern(source),
    expect: { status: 422, pointers: ["#/where/note/$regex"] },
  })),
  {
    name: "a where of 17,000 characters in the address",
    method: "GET",
    path: `${records}?where=${encodeURIComponent(`{"count":{"$in":[${"1,".repeat(8_500)}1]}}`)}`,
    expect: { status: 422, pointers: ["#/query/where"] },
  },
  {
    name: "JSON 100,000 deep",
    ...create(repeated('{"note":', "}", 100_000, "1")),
    expect: { status: 400, code: "malformed-body" },
  },
  {
    name: "an object of half a million names",
    ...create(`{${Array.from({ length: 500_000 }, (_, index) => `"k${index}":1`).join()}}`),
    expect: { status: 400, code: "malformed-body" },
  },
  {
    name: "one name half a million times",
    ...create(`{${'"note":"a",'.repeat(500_000)}"note":"b"}`),
    expect: { status: 400, code: "malformed-body" },
  },
  {
    name: "a name that comes twice",
    ...create('{"note":"first","note":"last"}'),
    expect: { status: 422, pointers: ["#/note"] },
  },
  {
    name: "a number of seven million digits",
    ...create(`{"count":${"9".repeat(7_000_000)}}`),
    expect: { status: 422, pointers: ["#/count"] },
  },
  {
    name: "a number beyond all doubles",
    ...create('{"count":1e400}'),
    expect: { status: 422, pointers: ["#/count"] },
  },
  {
    name: "a text of seven million characters",
    ...create(JSON.stringify({ note: "x".repeat(7_000_000) })),
    expect: { status: 413, code: "content-too-large" },
  },
  {
    name: "a batch of two million",
    method: "POST",
    path: `${records}/batch/create`,
    headers: json,
    rawBody: `[${"{},".repeat(2_000_000)}{}]`,
    expect: { status: 400, code: "malformed-body" },
  },
];

/** Requests that a backtracking matcher never answers. */
const answered: readonly ApiCase[] = [
  "(a+)+$",
  "((a*)*)*b$",
  "(a|aa|aaa|aaaa)*b$",
  "[a-z]*[a-z]*[a-z]*[a-z]*[a-z]*[a-z]*[a-z]*q$",
  ".*.*.*.*.*.*.*.*=x$",
].map((source) => ({
  name: `$regex ${source} on 100,000 letters`,
  ...pattern(source),
  expect: { status: 200, body: { rows: [{ metrics: { n: 0 } }] } },
}));

describePlatform("a hostile request", (the) => {
  // The record that the patterns are tried on.
  beforeAll(async () => {
    await make(the());
  });

  describe("is refused:", () => {
    apiCases(the, refused);
  });

  describe("is answered:", () => {
    apiCases(the, answered);
  });

  test("left no failure in the log", () => {
    expect(the().log).toEqual([]);
  });
});

async function make(the: TestPlatform): Promise<void> {
  const { tenant } = the.workspaces;
  const headers = { "x-tenant-id": tenant };
  const builder = the.as("tenant-builder");
  expect((await builder.post("/v4/data/resources/object-types", type, { headers })).status).toBe(
    201,
  );
  const note = `${"a".repeat(100_000)}!`;
  const path = `/v4/data/resources/${tenant}/${slug}`;
  expect((await builder.post(path, { note })).status).toBe(201);
}
