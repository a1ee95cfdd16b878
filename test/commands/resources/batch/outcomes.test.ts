import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { commandWorld } from "../../world.ts";

const the = commandWorld();
let files = "";

beforeAll(async () => {
  files = await temporaryDirectory("files");
  const { tenant } = the().platform.workspaces;
  const properties = { species: { type: "string", required: true } };
  const type = { name: "Tree", slug: "tree", properties };
  const made = await the()
    .platform.as("tenant-admin")
    .post("/v4/data/resources/object-types", type, { headers: { "x-tenant-id": tenant } });
  expect(made.status).toBe(201);
});

function trees(count: number): { species: string }[] {
  return Array.from({ length: count }, () => ({ species: "oak" }));
}

describe("a batch without all answers", () => {
  test("reports known and unknown outcomes when it is interrupted", async () => {
    await Bun.write(join(files, "waiting.json"), JSON.stringify(trees(1100)));
    for (const last of [1, 2]) {
      const stop = new AbortController();
      let batches = 0;
      const fetch = async (request: Request): Promise<Response> => {
        if (request.url.includes("/batch/")) batches += 1;
        if (batches < last) return the().platform.platform.fetch(request);
        stop.abort();
        return new Response("", { status: 500 });
      };
      const { exitCode, json, stderr } = await the().json(
        ["resources", "batch-create", "tree", "--file", "waiting.json"],
        { currentDirectory: files, fetch, signal: stop.signal },
      );
      expect(exitCode).toBe(130);
      const known = (last - 1) * 500;
      expect(json).toMatchObject({
        succeeded: known,
        error: { exitCode: 130 },
        failedItems: 500,
        unsentItems: 600 - known,
      });
      expect(stderr).toContain(
        `Interrupted.\nItems ${known} to ${known + 499} were sent and their outcome is unknown: ` +
          `check before you send them again. ${600 - known} more were not sent.`,
      );
    }
  });

  const incomplete: [string, (results: unknown[]) => unknown[], string][] = [
    ["fewer outcomes", (results) => results.slice(0, 3), "has no outcome of item 3, of 500 items"],
    [
      "outcomes of other items",
      (results) => results.map((one, index) => ({ ...(one as object), index: index + 1 })),
      "has no outcome of item 0, of 500 items",
    ],
    [
      "two outcomes of one item",
      (results) => [...results, ...results.slice(0, 1)],
      "has 501 outcomes of 500 items",
    ],
  ];
  test.each(incomplete)("an answer with %s is an error", async (_what, change, words) => {
    const fetch = async (request: Request): Promise<Response> => {
      const response = await the().platform.platform.fetch(request);
      if (!request.url.includes("/batch/")) return response;
      const answer = (await response.json()) as { results: unknown[] };
      return Response.json({ ...answer, results: change(answer.results) });
    };
    const { exitCode, json } = await the().json(
      ["resources", "batch-create", "tree", "--data", JSON.stringify(trees(500))],
      { fetch },
    );
    expect(exitCode).toBe(1);
    expect(json).toMatchObject({
      error: {
        code: "E203",
        message: expect.stringContaining(words),
        hint: expect.stringContaining("The outcome is unknown"),
      },
    });
  });

  test("shows a deployment's reason for a refused item", async () => {
    const results = [{ index: 0, status: 422, error: { detail: "no room for oaks" } }];
    const { exitCode, stdout } = await the().svc(
      ["resources", "batch-create", "tree", "--data", JSON.stringify(trees(1))],
      { fetch: async () => Response.json({ results, succeeded: 0, failed: 1 }) },
    );
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/^ +0 +422 +no room for oaks$/m);
  });
});
