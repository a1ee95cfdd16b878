import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { testBaseUrl } from "#test/support/platform.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { publishTrees } from "./trees.ts";
import { commandWorld, platformDown, type CallSettings } from "../world.ts";

const the = commandWorld();

let files = "";

beforeAll(async () => {
  files = await temporaryDirectory("files");
  await publishTrees(the());
});

describe("resources create", () => {
  const created = {
    type: "tree",
    version: 1,
    data: { species: "oak", height: 4.5 },
    request: { publicApiUrl: testBaseUrl, proofKind: "transport-response" },
  };
  const oak = '{"species":"oak","height":4.5}';

  const sources: [flag: string, value: string, settings: CallSettings][] = [
    ["--data", oak, {}],
    ["--data", "-", { stdin: oak }],
    ["--data", "@oak.json", {}],
    ["--file", "oak.json", {}],
    ["--file", "{files}/oak.json", {}],
    ["--file", "-", { stdin: oak }],
  ];
  test.each(sources)("reads data from %s %s", async (flag, value, settings) => {
    await Bun.write(join(files, "oak.json"), oak);
    const { exitCode, json } = await the().json(
      ["resources", "create", "tree", flag, value.replace("{files}", files)],
      { as: "tenant-staff", currentDirectory: files, ...settings },
    );
    expect(exitCode).toBe(0);
    expect(json).toMatchObject(created);
  });

  test("as text shows the record; as JSON proves where it came from, with no secret", async () => {
    const words = ["resources", "create", "tree", "--data", oak];
    const text = await the().svc(words, { as: "tenant-staff" });
    expect(text.stdout).toMatch(/^version {7}1$/m);
    expect(text.stdout).toMatch(/^data\.species {2}oak$/m);
    const { json, stdout } = await the().json(words, { as: "tenant-staff" });
    expect(json).toHaveProperty("request", {
      publicApiUrl: testBaseUrl,
      tenantId: the().platform.workspaces.tenant,
      proofKind: "transport-response",
    });
    expect(stdout).not.toContain(the().platform.users["tenant-staff"].token);
  });

  const refusals: [string, string[], string, string, CallSettings?][] = [
    ["no data", [], "E303", "Required field missing: --data or --file"],
    [
      "both",
      ["--data", "{}", "--file", "x"],
      "E305",
      "Invalid input: --data and --file exclude each other",
    ],
    [
      "malformed JSON",
      ["--data", '{"a":'],
      "E304",
      "Invalid format: --data is not JSON: Unexpected EOF",
    ],
    [
      "a number that would change",
      ["--data", '{"height":[1,9007199254740993]}'],
      "E302",
      "Validation failed: --data #/height/1 has more digits than a number keeps: send it as text",
    ],
    [
      "a number that would become null",
      ["--data", '{"height":[1,1e400]}'],
      "E302",
      "Validation failed: --data #/height/1 is a number out of range",
    ],
    [
      "a name that is given twice",
      ["--data", '{"height":1,"height":2}'],
      "E302",
      "Validation failed: --data #/height is given more than once: give it one value",
    ],
    [
      "a reserved name",
      ["--data", '{"height":1,"__proto__":{"height":2}}'],
      "E302",
      "Validation failed: --data #/__proto__ is not a usable name",
    ],
    ["a list", ["--data", "[]"], "E304", "Invalid format: the data is not a JSON object"],
    ["null", ["--data", "null"], "E304", "Invalid format: the data is not a JSON object"],
    ["a missing file", ["--file", "none.json"], "E305", "Invalid input: none.json does not exist"],
    [
      "a missing @file",
      ["--data", "@none.json"],
      "E305",
      "Invalid input: none.json does not exist",
    ],
    [
      "stdin on a terminal",
      ["--data", "-"],
      "E305",
      "Invalid input: --data - reads stdin, but stdin is a terminal",
      { terminal: 80 },
    ],
    ["no text", ["--file", "bytes.bin"], "E304", "Invalid format: bytes.bin is not UTF-8 text"],
  ];
  test.each(refusals)(
    "refuses %s before any network call",
    async (_what, words, code, message, settings) => {
      await Bun.write(join(files, "bytes.bin"), new Uint8Array([0x22, 0xff, 0xfe, 0x22]));
      const { exitCode, json } = await the().json(["resources", "create", "tree", ...words], {
        currentDirectory: files,
        fetch: platformDown,
        ...settings,
      });
      expect(exitCode).toBe(2);
      expect(json).toMatchObject({ error: { code, message } });
    },
  );

  test("the platform refuses data that violate the type, with pointers", async () => {
    const bad = ["resources", "create", "tree", "--data", '{"height":-1,"age":3}'];
    const { exitCode, json } = await the().json(bad);
    expect(exitCode).toBe(1);
    expect(json).toMatchObject({
      error: {
        code: "E302",
        status: 422,
        errors: expect.arrayContaining([
          { pointer: "#/species", detail: "is required" },
          { pointer: "#/age", detail: "is not a property of this type" },
        ]),
      },
    });
    const text = await the().svc(bad);
    expect(text.stderr.split("\n")[0]).toBe("Error E302: Validation failed:");
    expect(text.stderr).toContain("\n  #/species: is required\n");
  });

  test("an unknown type and a missing permission are refused", async () => {
    const unknown = await the().json(["resources", "create", "bush", "--data", "{}"]);
    expect(unknown.json).toMatchObject({
      error: { code: "E202", message: "Object Type bush not found", status: 404 },
    });
    const viewer = await the().json(["resources", "create", "tree", "--data", oak], {
      as: "tenant-viewer",
    });
    expect(viewer.exitCode).toBe(1);
    expect(viewer.json).toMatchObject({
      error: {
        code: "E204",
        message: "Permission denied",
        suggestion: "Contact an administrator",
        status: 403,
        exitCode: 1,
      },
    });
  });
});
