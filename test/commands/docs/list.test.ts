import { describe, expect, test } from "vitest";
import { documentWorld } from "../documents-world.ts";
import { platformDown } from "../world.ts";

const the = documentWorld();

async function processed(name: string): Promise<{ documentId: string; documentNumber: string }> {
  const sent = await the().upload(name);
  expect((await the().docs(["job", sent.jobId, "--wait"])).exitCode).toBe(0);
  return sent;
}

describe("docs list", () => {
  test("filters, counts, pages and has every format", async () => {
    const { documentNumber } = await processed("listed-1.txt");
    await processed("listed-2.txt");
    const where = '{"filename":{"$startsWith":"listed-"}}';
    const words = ["docs", "list", "--where", where, "--sort", "filename", "--limit", "1"];
    const page = await the().svc([...words, "--count"], { as: "tenant-viewer" });
    expect(page.stdout).toMatch(new RegExp(`^${documentNumber} +listed-1\\.txt +ready `, "m"));
    expect(page.stdout).not.toContain("listed-2.txt");
    expect(page.stderr).toBe("2 documents in total\nMore: --page 2\n");
    const columns = ["--columns", "filename,label", "--page", "2", "--format", "csv"];
    const csv = await the().svc([...words, ...columns], { as: "tenant-viewer" });
    expect(csv.stdout).toMatch(/^filename,label\r\nlisted-2\.txt,[\w-]*\r\n$/);
    const none = await the().svc(["docs", "list", "--where", '{"filename":"nothing"}']);
    expect(none).toMatchObject({ exitCode: 0, stdout: "", stderr: "No documents match\n" });
    const bad = await the().docs(["list", "--columns", "colour"], { fetch: platformDown });
    expect(bad).toMatchObject({ exitCode: 2, json: { error: { code: "E305" } } });
  });
});
