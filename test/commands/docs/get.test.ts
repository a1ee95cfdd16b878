import { describe, expect, test } from "vitest";
import { documentWorld } from "../documents-world.ts";
import { platformDown } from "../world.ts";

const the = documentWorld();
const noId = "01890000-0000-7000-8000-000000000000";

describe("docs get", () => {
  const bad = [
    "../x",
    "a b",
    "https://x.test/DOC-1",
    "DOC-2026-000001/content",
    "DOC-2026-000001?x=1",
    "%2e%2e",
    "",
  ];
  test.each(bad)("%j is refused before any request", async (id) => {
    const { exitCode, json } = await the().docs(["get", id], { fetch: platformDown });
    expect(exitCode).toBe(2);
    expect(json).toMatchObject({
      error: {
        code: "E305",
        message: "Invalid input: a document ID is DOC-… or a UUID, without spaces, URL or path",
      },
    });
  });

  test("a missing document is E202; another storage target is refused", async () => {
    const missing = await the().docs(["get", "DOC-2026-999999"]);
    expect(missing.json).toMatchObject({
      error: { code: "E202", message: "Document DOC-2026-999999 not found", status: 404 },
    });
    const storage = await the().docs(["get", "DOC-2026-000001", "--storage-target", "blob"]);
    expect(storage).toMatchObject({ exitCode: 2, json: { error: { code: "E304" } } });
  });

  test("a job of another document does not give access", async () => {
    const { documentId } = await the().upload("crossed.txt");
    const { exitCode, json } = await the().docs(["get", documentId, "--job-id", noId]);
    expect(exitCode).toBe(1);
    expect(json).toMatchObject({ error: { code: "E202", status: 404 } });
  });

  test("a document of another workspace is not found", async () => {
    const { documentId } = await the().upload("ours.txt");
    const { other } = the().platform.workspaces;
    const { exitCode, json } = await the().docs(["get", documentId, "--tenant-id", other], {
      as: "outsider",
    });
    expect(exitCode).toBe(1);
    expect(json).toMatchObject({ error: { code: "E202", status: 404 } });
  });

  test("terminal escapes in a file name are removed", async () => {
    const { stdout } = await the().svc("docs get DOC-2026-000001", {
      fetch: () =>
        Promise.resolve(
          Response.json({
            documentId: noId,
            documentNumber: "DOC-2026-000001",
            filename: "plan\u001b[2J\u202efdp.exe",
          }),
        ),
    });
    expect(stdout).toMatch(/^filename +planfdp\.exe$/m);
  });
});
