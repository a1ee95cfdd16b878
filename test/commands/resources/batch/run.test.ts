import { truncate } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { runSvc } from "#commands/run.ts";
import { captureEnvironment, captureStream } from "#test/cli/world.ts";
import { field, testBaseUrl } from "#test/support/platform.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { commandWorld, platformDown } from "../../world.ts";

const the = commandWorld();
let files = "";

beforeAll(async () => {
  files = await temporaryDirectory("files");
  const { tenant } = the().platform.workspaces;
  const properties = { species: { type: "string", required: true }, height: { type: "number" } };
  const type = { name: "Tree", slug: "tree", properties };
  const made = await the()
    .platform.as("tenant-admin")
    .post("/v4/data/resources/object-types", type, { headers: { "x-tenant-id": tenant } });
  expect(made.status).toBe(201);
});

function trees(count: number): { species: string; height: number }[] {
  return Array.from({ length: count }, (_, height) => ({ species: "oak", height }));
}

async function filed(name: string): Promise<string> {
  const path = join(files, name);
  await Bun.write(path, "");
  return path;
}

/** Fetches from the platform, and counts the items of each batch. */
function counting(
  isDown: (batch: number) => boolean = () => false,
  down = () => new Response("", { status: 500 }),
) {
  const sizes: number[] = [];
  const fetch = async (request: Request): Promise<Response> => {
    if (request.url.includes("/batch/")) {
      const body: unknown = await request.clone().json();
      const items = field(body, "items") ?? field(body, "ids");
      sizes.push(Array.isArray(items) ? items.length : -1);
      if (isDown(sizes.length)) return down();
    }
    return the().platform.platform.fetch(request);
  };
  return { sizes, fetch };
}

async function plant(count: number): Promise<string[]> {
  const { json } = await the().json([
    "resources",
    "batch-create",
    "tree",
    "--data",
    JSON.stringify(trees(count)),
  ]);
  const results = field(json, "results");
  return Array.isArray(results) ? results.map((one) => String(field(one, "id"))) : [];
}

describe("resources batch-create", () => {
  const sources: [flag: string, value: string, succeeded: number, stdin?: string][] = [
    ["--data", JSON.stringify(trees(2)), 2],
    ["--data", JSON.stringify({ items: trees(3) }), 3],
    ["--data", '{"species":"elm"}', 1],
    ["--data", "@trees.json", 2],
    ["--file", "trees.json", 2],
    ["--data", "-", 1, '[{"data":{"species":"ash"}}]'],
  ];
  test.each(sources)("reads the items of %s %s", async (flag, value, succeeded, stdin) => {
    await Bun.write(join(files, "trees.json"), JSON.stringify(trees(2)));
    const words = ["resources", "batch-create", "tree", flag, value];
    const { exitCode, json } = await the().json(words, {
      as: "tenant-staff",
      currentDirectory: files,
      ...(stdin === undefined ? {} : { stdin }),
    });
    expect(exitCode).toBe(0);
    expect(json).toMatchObject({
      succeeded,
      failed: 0,
      request: { publicApiUrl: testBaseUrl, proofKind: "transport-response" },
    });
  });

  test("sends 500 items per request, shows the progress, and counts the results over all requests", async () => {
    await Bun.write(join(files, "many.json"), JSON.stringify([...trees(1200), { height: 1 }]));
    const words = ["resources", "batch-create", "tree", "--file", "many.json"];
    const counted = counting();
    const { exitCode, json } = await the().json(words, {
      currentDirectory: files,
      fetch: counted.fetch,
    });
    expect(exitCode).toBe(1);
    expect(counted.sizes).toEqual([500, 500, 201]);
    expect(json).toMatchObject({ succeeded: 1200, failed: 1 });
    const results = field(json, "results") as unknown[];
    expect(results.map((one) => field(one, "index"))).toEqual([...results.keys()]);
    const text = await the().svc(words, { currentDirectory: files, terminal: 80 });
    expect(text.stderr).toContain("Created 1000 of 1201 tree");
    const lines = text.stdout.trimEnd().split("\n");
    expect(lines[0]).toBe("Created 1200 of 1201 tree");
    expect(lines[2]).toMatch(/^1200 .*422 {2}#\/items\/1200\/data\/species is required$/);
  });

  test("keeps the known outcomes when a later request fails, and sends nothing twice", async () => {
    await Bun.write(join(files, "more.json"), JSON.stringify(trees(1100)));
    const words = ["resources", "batch-update", "tree", "--file", "updates.json"];
    const ids = [...(await plant(700)), ...(await plant(400))];
    const updates = ids.map((id) => ({ id, version: 1, data: { species: "yew" } }));
    await Bun.write(join(files, "updates.json"), JSON.stringify(updates));
    const counted = counting((batch) => batch === 2);
    const { exitCode, json, stderr } = await the().json(words, {
      currentDirectory: files,
      fetch: counted.fetch,
    });
    expect(exitCode).toBe(1);
    expect(counted.sizes).toEqual([500, 500]);
    expect(json).toMatchObject({
      succeeded: 500,
      failed: 0,
      error: { code: "E203", status: 500 },
      failedItems: 500,
      unsentItems: 100,
    });
    expect(stderr).toContain("Items 500 to 999 were sent and their outcome is unknown");
  });

  test.each([
    ["is not JSON", () => new Response("Welcome!"), "were sent and their outcome is unknown"],
    ["refuses", () => new Response("", { status: 403 }), "were refused"],
    [
      "reports an expired token",
      () => Response.json({ code: "token-expired" }, { status: 401 }),
      "were not written",
    ],
  ])("reports the outcome of a request whose answer %s", async (_name, down, words) => {
    const { exitCode, stderr } = await the().svc(
      ["resources", "batch-create", "tree", "--data", JSON.stringify(trees(600))],
      { fetch: counting((batch) => batch === 2, down).fetch },
    );
    expect(exitCode).toBe(1);
    expect(stderr).toContain(`Items 500 to 599 ${words}`);
  });

  test("reports its progress when it is interrupted", async () => {
    const stop = new AbortController();
    const counted = counting((batch) => {
      if (batch === 2) stop.abort();
      return false;
    });
    await Bun.write(join(files, "stopped.json"), JSON.stringify(trees(1100)));
    const { exitCode, stderr } = await the().svc(
      ["resources", "batch-create", "tree", "--file", "stopped.json"],
      { currentDirectory: files, fetch: counted.fetch, signal: stop.signal },
    );
    expect(exitCode).toBe(130);
    expect(counted.sizes).toEqual([500, 500]);
    expect(stderr).toContain(
      "Interrupted.\nItems 500 to 999 were refused. 100 more were not sent.",
    );
  });

  const refusals: [string, string[], number, string, string][] = [
    ["no data", [], 2, "E303", "Required field missing: --data or --file"],
    ["no items", ["--data", "[]"], 2, "E305", "Invalid input: there are no items"],
    ["an item that is not an object", ["--data", '[{"species":"oak"},3]'], 2, "E302", "#/1"],
  ];
  test.each(refusals)(
    "refuses %s before any network call",
    async (_what, words, exit, code, text) => {
      const { exitCode, json } = await the().json(["resources", "batch-create", "tree", ...words], {
        fetch: platformDown,
      });
      expect(exitCode).toBe(exit);
      expect(json).toMatchObject({ error: { code, message: expect.stringContaining(text) } });
    },
  );

  test("with --atomic makes all or none, in one request only", async () => {
    const words = ["resources", "batch-create", "tree", "--atomic", "--data"];
    const bad = await the().json([...words, JSON.stringify([...trees(1), {}])]);
    expect(bad.exitCode).toBe(1);
    expect(bad.json).toMatchObject({
      error: { code: "E302", status: 422, errors: [{ pointer: "#/items/1/data/species" }] },
    });
    const large = await the().json([...words, JSON.stringify(trees(501))], { fetch: platformDown });
    expect(large.json).toMatchObject({ error: { code: "E305" } });
  });
});

describe("a batch of any length", () => {
  const create = ["resources", "batch-create", "tree"];

  test("items one per line are read like a list, from a file or stdin", async () => {
    const lines = trees(3).map((tree) => JSON.stringify(tree));
    await Bun.write(join(files, "trees.ndjson"), `${lines.join("\n")}\n`);
    const settings = { currentDirectory: files };
    const fromFile = await the().json([...create, "--file", "@trees.ndjson"], settings);
    expect(fromFile).toMatchObject({ exitCode: 0, json: { succeeded: 3, failed: 0 } });
    const fromStdin = await the().json([...create, "--file", "-"], { stdin: lines.join("\n") });
    expect(fromStdin).toMatchObject({ exitCode: 0, json: { succeeded: 3, failed: 0 } });
  });

  test("outcomes are streamed as lines; the summary goes to stderr", async () => {
    await Bun.write(join(files, "mixed.json"), JSON.stringify([...trees(600), { height: 1 }]));
    const words = [...create, "--file", "mixed.json", "--format"];
    const ndjson = await the().svc([...words, "ndjson"], { currentDirectory: files });
    expect(ndjson.exitCode).toBe(1);
    const help = "Help: `svc resources batch-create --help`\n";
    expect(ndjson.stderr).toBe(`Created 600 of 601 tree\n${help}`);
    const rows = ndjson.stdout.trimEnd().split("\n");
    expect(rows).toHaveLength(601);
    expect(JSON.parse(rows[600] ?? "")).toMatchObject({
      index: 600,
      status: 422,
      error: { errors: [{ pointer: "#/items/600/data/species" }] },
    });
    const columns = ["--columns", "index,status,error"];
    const csv = await the().svc([...words, "csv", ...columns], { currentDirectory: files });
    const lines = csv.stdout.split("\r\n");
    expect(lines.slice(0, 2)).toEqual(["index,status,error", "0,201,"]);
    expect(lines.at(-2)).toBe("600,422,#/items/600/data/species is required");
  });

  test("JSON has only the failed outcomes of many items", async () => {
    const items = [...trees(10_100), { height: 1 }];
    await Bun.write(join(files, "thousands.json"), JSON.stringify(items));
    const answering = async (request: Request): Promise<Response> => {
      const sent = field(await request.json(), "items") as { data: { species?: string } }[];
      const results = sent.map(({ data }, index) => ({
        index,
        status: data.species === undefined ? 422 : 201,
      }));
      return Response.json({ results, succeeded: 0, failed: 0 }, { status: 207 });
    };
    const words = [...create, "--file", "thousands.json"];
    const settings = { currentDirectory: files, fetch: answering };
    expect((await the().json(words, settings)).json).toMatchObject({
      results: [{ index: 10_100, status: 422 }],
      resultsTruncated: true,
      succeeded: 10_100,
      failed: 1,
    });
  });

  test("a fault anywhere in a file is found before anything is sent", async () => {
    const lines = [...trees(700).map((tree) => JSON.stringify(tree)), '{"species":'];
    await Bun.write(join(files, "torn.ndjson"), lines.join("\n"));
    const counted = counting();
    const words = [...create, "--file", "torn.ndjson"];
    const settings = { currentDirectory: files, fetch: counted.fetch };
    const { exitCode, json } = await the().json(words, settings);
    expect(exitCode).toBe(2);
    expect(json).toMatchObject({
      error: {
        code: "E304",
        message: "Invalid format: torn.ndjson, item 700, is not JSON: Unexpected EOF",
      },
    });
    expect(counted.sizes).toEqual([]);
    const piped = await the().json([...create, "--data", "-"], {
      stdin: lines.join("\n"),
      fetch: counted.fetch,
    });
    expect(counted.sizes).toEqual([500]);
    expect(piped).toMatchObject({ exitCode: 1, json: { succeeded: 500, error: { code: "E304" } } });
    expect(piped.stderr).toContain("The rest was not sent.");
  });

  test("a closed reader does not hide unsent items", async () => {
    await Bun.write(join(files, "unread.json"), JSON.stringify(trees(1100)));
    const counted = counting();
    const stderr = captureStream();
    const environment = captureEnvironment(
      [...create, "--file", "unread.json", "--format", "ndjson"],
      {
        variables: {
          BASE_URL_PUBLIC_API: testBaseUrl,
          SVC_TOKEN: the().platform.users["tenant-staff"].token,
        },
        stdout: captureStream({ closed: true }),
        stderr,
        currentDirectory: files,
        fetch: counted.fetch,
      },
    );
    const { tenant } = the().platform.workspaces;
    const argv = [...environment.argv, "--tenant-id", tenant];
    expect(await runSvc({ ...environment, argv })).toBe(1);
    expect(counted.sizes).toEqual([500]);
    expect(stderr.text()).toBe(
      "Items 0 to 499 were sent. 600 more were not sent.\n" +
        "Help: `svc resources batch-create --help`\n",
    );
  });

  test("a file too large for one record is refused unread", async () => {
    await truncate(await filed("huge.json"), 2 * 1024 ** 3);
    const words = ["resources", "create", "tree", "--file", "huge.json"];
    const { json } = await the().json(words, { currentDirectory: files, fetch: platformDown });
    expect(json).toMatchObject({
      error: { code: "E305", message: "Invalid input: huge.json is larger than 64 MiB" },
    });
    const batch = await the().json([...create, "--file", "huge.json"], {
      currentDirectory: files,
      fetch: platformDown,
    });
    expect(batch.json).toMatchObject({
      error: { code: "E304", message: expect.stringContaining("an item is longer than 64 MiB") },
    });
  });
});

describe("resources batch-update", () => {
  test("reports each update, and exits with 1 when one failed", async () => {
    const [id] = await plant(1);
    const none = "01890000-0000-7000-8000-000000000000";
    const items = [id, none].map((one) => ({ id: one, version: 1, data: { species: "elm" } }));
    const words = ["resources", "batch-update", "tree", "--data", JSON.stringify(items)];
    const { exitCode, json } = await the().json(words, { as: "tenant-staff" });
    expect(exitCode).toBe(1);
    expect(json).toMatchObject({
      results: [
        { index: 0, id, status: 200, version: 2 },
        { index: 1, id: none, status: 404, error: { code: "not-found" } },
      ],
    });
    const viewer = await the().json(words, { as: "tenant-viewer" });
    expect(viewer.json).toMatchObject({ error: { code: "E204", status: 403 } });
  });

  test("refuses an item without version before any network call", async () => {
    const data = '[{"id":"01890000-0000-7000-8000-000000000000","data":{}}]';
    const { json } = await the().json(["resources", "batch-update", "tree", "--data", data], {
      fetch: platformDown,
    });
    expect(json).toMatchObject({
      error: { code: "E302", message: expect.stringContaining("#/0/version") },
    });
  });
});

describe("resources batch-delete", () => {
  test("accepts IDs as a list, from stdin, from a file, each once", async () => {
    const [a = "", b = "", c = "", d = "", e = "", f = ""] = await plant(6);
    await Bun.write(join(files, "ids.json"), JSON.stringify([f]));
    await Bun.write(join(files, "ids.txt"), `${b}\n${c}\n${b}\n`);
    const ways: [string[], number, string?][] = [
      [["--ids", a], 1],
      [["--ids", "@ids.txt"], 2],
      [["--ids", "-"], 1, `${d},`],
      [["--data", JSON.stringify([e, e])], 1],
      [["--file", "ids.json"], 1],
    ];
    for (const [words, succeeded, stdin] of ways) {
      const { exitCode, json } = await the().json(["resources", "batch-delete", "tree", ...words], {
        currentDirectory: files,
        ...(stdin === undefined ? {} : { stdin }),
      });
      expect([exitCode, json]).toMatchObject([0, { succeeded, failed: 0, request: {} }]);
    }
  });

  test.each([
    ["nothing", [], 2, "E303"],
    ["both", ["--ids", "x", "--data", "[]"], 2, "E305"],
    ["an empty list", ["--ids", ","], 2, "E305"],
  ])("refuses %s before any network call", async (_what, words, exit, code) => {
    const { exitCode, json } = await the().json(["resources", "batch-delete", "tree", ...words], {
      fetch: platformDown,
    });
    expect([exitCode, json]).toMatchObject([exit, { error: { code } }]);
  });
});
