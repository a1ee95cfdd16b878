import { beforeAll, expect, test } from "vitest";
import { field } from "#test/support/platform.ts";
import { documentWorld } from "../documents-world.ts";
import { platformDown } from "../world.ts";

const the = documentWorld();
const sentence = "The plan provides 24 parking spaces in the rear yard.";

beforeAll(async () => {
  const upload = ["docs", "upload", "letter.txt", ...the().context];
  const { json } = await the().json(upload, { currentDirectory: the().files });
  await the().svc(["docs", "job", String(field(json, "jobId")), "--wait"]);
});

test("prints passages with their document, page and score", async () => {
  const { exitCode, stdout } = await the().svc(["docs", "search", "spaces for parking"]);
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/^letter\.txt, page 1 {2}DOC-\d{4}-\d{6} .*\d\.\d\d\d*\n/);
  const misspelt = ["docs", "search", "the rear yards parkin", "--mode", "hybrid"];
  expect((await the().svc(misspelt)).stdout).toMatch(/^letter\.txt, page 1 .* \d\.\d\d\d*\n/);
});

test("as JSON has the verbatim text and both scores", async () => {
  const { json } = await the().json(["docs", "search", "parking", "--limit", "1"]);
  expect(json).toMatchObject({
    results: [
      {
        filename: "letter.txt",
        page: 1,
        text: expect.stringContaining(sentence),
        scores: { fulltext: expect.any(Number), vector: null },
      },
    ],
  });
});

test("filters by class and by any other fact of a document", async () => {
  const none = await the().svc(["docs", "search", "parking", "--label", "no-such-label"]);
  expect(none).toMatchObject({ exitCode: 0, stdout: "", stderr: "No passages found\n" });
  const where = '{"filename":"letter.txt"}';
  expect((await the().svc(["docs", "search", "parking", "--where", where])).stdout).toContain(
    sentence,
  );
});

test("names the place of a fault in the filter as it was given", async () => {
  const where = '{"$where":"this"}';
  const refused = await the().svc(["docs", "search", "parking", "--where", where]);
  expect(refused.exitCode).toBe(1);
  expect(refused.stderr).toContain("#/query/where/$where is not a known operator");
});

test("a blank query is wrong usage before any request", async () => {
  const { exitCode } = await the().svc(["docs", "search", " "], { fetch: platformDown });
  expect(exitCode).toBe(2);
});
