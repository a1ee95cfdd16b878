import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { runSvc } from "#commands/run.ts";
import { captureEnvironment } from "#test/cli/world.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { commandWorld, platformDown, type CallSettings } from "./world.ts";

/** Refusals of `resources …` and `types …` before any network call, with the limits of part 8. */

const id = "01890000-0000-7000-8000-000000000000";

const the = commandWorld();
let project = "";
beforeAll(async () => {
  project = await temporaryDirectory("project");
  await Bun.write(join(project, "huge.json"), "");
  await Bun.write(
    join(project, "src/eai.config/object-types.json"),
    JSON.stringify([{ name: "Tree", slug: "tree", properties: {} }]),
  );
});

/** Words, exit code, and error; all before any network call. */
const refusals: readonly [
  words: string,
  exitCode: number,
  error: string,
  settings?: CallSettings,
][] = [
  ["resources list", 2, "E303: Required field missing: <type>"],
  ["resources list tree bush", 2, 'E305: Invalid input: unexpected argument "bush"'],
  [
    "resources list tree --page 0",
    2,
    'E305: Invalid input: --page "0" is not a whole number from 1 to 1000000',
  ],
  [
    "resources list tree --page 1.5",
    2,
    'E305: Invalid input: --page "1.5" is not a whole number from 1 to 1000000',
  ],
  [
    "resources list tree --limit 501",
    2,
    'E305: Invalid input: --limit "501" is not a whole number from 1 to 500',
  ],
  [
    "resources list tree --limit 5 --limit 6",
    2,
    "E305: Invalid input: --limit is given twice with different values",
  ],
  [
    "resources list tree --cursor x --page 2",
    2,
    "E305: Invalid input: --page and --cursor exclude each other",
  ],
  ["resources list tree --where", 2, "E305: Invalid input: --where needs a value"],
  ["resources list tree --where []", 2, "E304: Invalid format: --where is not a JSON object"],
  ["resources list tree --where @none.json", 2, "E305: Invalid input: none.json does not exist"],
  ["resources list tree --where @src", 2, "E305: Invalid input: src is not a file"],
  ["resources list tree --where -", 2, "E304: Invalid format: --where is empty"],
  [
    "resources list tree --where -",
    2,
    "E305: Invalid input: --where - reads stdin, but stdin is a terminal",
    { terminal: 120 },
  ],
  ["resources list tree --format xml", 2, 'E304: Invalid format: --format "xml"'],
  ["resources get tree", 2, "E303: Required field missing: <id>"],
  ["resources get tree ../x", 2, "E305: Invalid input: #/path/id can't be a path segment"],
  ["resources get tree abc --format csv", 2, 'E304: Invalid format: --format "csv"'],
  ["resources create tree", 2, "E303: Required field missing: --data or --file"],
  [
    "resources create tree --data {} --file x",
    2,
    "E305: Invalid input: --data and --file exclude each other",
  ],
  ["resources create tree --data 3", 2, "E304: Invalid format: the data is not a JSON object"],
  ["resources create tree --file none.json", 2, "E305: Invalid input: none.json does not exist"],
  [`resources update tree ${id}`, 2, "E303: Required field missing: --data"],
  [
    `resources update tree ${id} --data {} --version 0`,
    2,
    'E305: Invalid input: --version "0" is not a whole number from 1 to 2147483647',
  ],
  [`resources delete tree ${id}`, 2, "E303: Required field missing: --force"],
  ["resources query", 2, "E303: Required field missing: --types"],
  ["resources query --types tree,,bush", 2, "E305: Invalid input: --types has an empty name"],
  ["resources aggregate tree --group-by a", 2, "E303: Required field missing: --metrics"],
  ["resources aggregate tree --metrics {}", 2, "E303: Required field missing: --group-by"],
  [
    'resources aggregate tree --group-by a --metrics {"n":3}',
    2,
    "E302: Validation failed: --metrics #/n",
  ],
  ["resources search tree --mode exact", 2, 'E304: Invalid format: --mode "exact"'],
  [
    "resources search tree --vector --fulltext",
    2,
    "E305: Invalid input: --vector and --fulltext exclude each other",
  ],
  ["resources batch-create tree", 2, "E303: Required field missing: --data or --file"],
  ["resources batch-create tree --data []", 2, "E305: Invalid input: there are no items"],
  ["resources batch-create tree --data [1]", 2, "E302: Validation failed: #/0"],
  ["resources batch-update tree --data {}", 2, "E302: Validation failed: #/0"],
  ["resources batch-delete tree", 2, "E303: Required field missing: --ids, --data or --file"],
  [
    "resources batch-delete tree --ids a --file b",
    2,
    "E305: Invalid input: --ids and --file exclude each other",
  ],
  [
    `resources batch-delete tree --ids ${id},${"x".repeat(1025)}`,
    2,
    "E302: Validation failed: #/1 must be an ID",
  ],
  ["resources indexes-plan", 2, "E303: Required field missing: --object-type"],
  ["resources sync-schema --backend tape", 2, 'E304: Invalid format: --backend "tape"'],
  [
    "resources indexes-apply --object-type tree",
    1,
    "RESOURCE_INDEX_APPLY_UNSUPPORTED: Applying index plans is not supported",
  ],
  [
    "types define Tree",
    1,
    "TYPES_DEFINE_UNSUPPORTED: Defining Object Types through the platform is not supported",
  ],
  [
    "types seed --tenant-id a --tenant-key b",
    2,
    "E305: Invalid input: --tenant-key and --tenant-id exclude each other",
  ],
  [
    "types diff --tenant-id a --tenant-key b",
    2,
    "E305: Invalid input: --tenant-key and --tenant-id exclude each other",
  ],
  [
    "types pull --output src/eai.config/object-types.ts",
    2,
    "E305: Invalid input: object-types.ts is reserved for the project's own definitions",
  ],
  [
    "types pull --output missing/x.ts",
    2,
    "E305: Invalid input: the output's folder does not exist",
  ],
];

describe("errors before any network call", () => {
  test.each(refusals)("svc %s: %s, %s", async (words, exitCode, error, settings) => {
    const call = { fetch: platformDown, currentDirectory: project, ...settings };
    const called = await the().svc(words, call);
    expect([called.stdout, called.exitCode]).toEqual(["", exitCode]);
    const { stderr } = called;
    expect(stderr.split("\n")[0]).toContain(`Error ${error}`);
    expect(stderr).toMatch(/^Help: `svc [a-z -]+ --help`/m);
  });

  test("as JSON, the error is on stdout with the exit code", async () => {
    const { exitCode, json, stderr } = await the().json("resources list tree --page 0");
    expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: "" });
    expect(json).toEqual({
      error: {
        code: "E305",
        message: 'Invalid input: --page "0" is not a whole number from 1 to 1000000',
        suggestion: "Check the input",
        exitCode: 2,
      },
    });
  });
});

describe("a pipe that stays silent", () => {
  test.each([
    "resources create tree --data -",
    "resources list tree --where -",
    `resources batch-delete tree --ids - --tenant-id ${id}`,
    "publicapi post /v4/x --file -",
  ])("svc %s ends when it is interrupted", async (words) => {
    const stop = new AbortController();
    const silent = new ReadableStream<Uint8Array>({
      pull: () => {
        stop.abort();
        return new Promise(() => undefined);
      },
    });
    const environment = captureEnvironment(words.split(" "), { signal: stop.signal });
    const stdin = { isTerminal: false, stream: () => silent };
    expect(await runSvc({ ...environment, stdin, fetch: platformDown })).toBe(130);
    expect(environment.stderr.text()).toMatch(/^Interrupted\. Help: /);
  });
});

describe("names kept for compatibility", () => {
  beforeAll(async () => {
    const seeded = await the().svc("types seed", {
      as: "tenant-builder",
      currentDirectory: project,
    });
    expect(seeded).toMatchObject({ exitCode: 0, stderr: "" });
  });

  test.each(["--tenant-id", "--tenant", "--workspace"])("%s, by slug or ID", async (flag) => {
    for (const workspaceName of ["tenant", the().platform.workspaces.tenant]) {
      const words = `resources list tree ${flag} ${workspaceName}`;
      expect(await the().svc(words)).toEqual(
        expect.objectContaining({ exitCode: 0, stdout: "", stderr: "No tree records\n" }),
      );
    }
  });

  test("--json names its replacement once", async () => {
    const { exitCode, json, stderr } = await the().svc("resources list tree --json");
    expect({ exitCode, stderr }).toEqual({
      exitCode: 0,
      stderr: "--json is deprecated: use --format json\n",
    });
    expect(json).toMatchObject({ items: [], page: 1, limit: 20, hasNextPage: false });
  });
});
