import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { accepted, documentWorld } from "../documents-world.ts";
import { platformDown } from "../world.ts";

const the = documentWorld();

async function processed(name: string): Promise<{ documentId: string; documentNumber: string }> {
  const sent = await the().upload(name);
  expect((await the().docs(["job", sent.jobId, "--wait"])).exitCode).toBe(0);
  return sent;
}

describe("docs delete", () => {
  test("needs --force without a terminal, and then says what it removed", async () => {
    const { documentId } = await processed("doomed.txt");
    const asked = await the().docs(["delete", documentId], { fetch: platformDown });
    expect(asked).toMatchObject({
      exitCode: 2,
      json: { error: { code: "E303", message: "Required field missing: --force" } },
    });
    const receipt = await the().svc(["docs", "delete", documentId, "--force"]);
    expect(receipt).toMatchObject({ exitCode: 0, stderr: "" });
    expect(receipt.stdout).toBe(`Deleted document ${documentId} (file, analysis, 1 passage)\n`);
    expect((await the().docs(["get", documentId])).json).toMatchObject({ error: { code: "E202" } });
  });

  test("needs the owner's authority", async () => {
    await Bun.write(join(the().files, "kept.txt"), "Kept by its owner.");
    const words = ["upload", "kept.txt", ...the().context];
    const sent = accepted.parse((await the().docs(words, { as: "tenant-admin" })).json);
    const refused = await the().docs(["delete", sent.documentId, "--force"]);
    expect(refused).toMatchObject({ exitCode: 1, json: { error: { code: "E204", status: 403 } } });
  });
});
