import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { documentWorld } from "../documents-world.ts";
import { platformDown } from "../world.ts";

const the = documentWorld();

async function processed(name: string): Promise<{ documentId: string; documentNumber: string }> {
  const sent = await the().upload(name);
  expect((await the().docs(["job", sent.jobId, "--wait"])).exitCode).toBe(0);
  return sent;
}

describe("docs content", () => {
  test("writes the original bytes to a pipe, or to a file whole", async () => {
    const { documentId, documentNumber } = await processed("original.txt");
    const text = await Bun.file(join(the().files, "original.txt")).text();
    const piped = await the().svc(["docs", "content", documentNumber], { as: "tenant-viewer" });
    expect(piped).toMatchObject({ exitCode: 0, stdout: text, stderr: "" });
    const path = join(await temporaryDirectory("saved"), "copy.txt");
    const saved = await the().docs(["content", documentId, "--output", path]);
    expect(saved.json).toMatchObject({ documentId, output: path, verified: true });
    expect(await Bun.file(path).text()).toBe(text);
    const json = await the().docs(["content", documentId], { fetch: platformDown });
    expect(json).toMatchObject({ exitCode: 2, json: { error: { code: "E303" } } });
  });
});
