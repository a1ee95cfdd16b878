import { chmod, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { accepted, documentWorld } from "../documents-world.ts";
import { platformDown } from "../world.ts";

const the = documentWorld();
const noId = "01890000-0000-7000-8000-000000000000";

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

describe("docs retry and docs cancel", () => {
  test("a failed job runs again; an ended one can't be stopped", async () => {
    const { json } = await the().docs(["upload", "corrupt.pdf", ...the().context]);
    const { jobId } = accepted.parse(json);
    await the().docs(["job", jobId, "--wait"]);
    const ended = await the().docs(["cancel", jobId]);
    expect(ended).toMatchObject({
      exitCode: 1,
      json: { error: { code: "E205", status: 409 } },
    });
    const again = await the().svc(["docs", "retry", jobId], { as: "tenant-staff" });
    expect(again.exitCode).toBe(0);
    expect(again.stdout).toMatch(/^status +queued$/m);
    expect(again.stderr).toBe(`Queued again. Follow it:\n  svc docs job ${jobId} --wait\n`);
    const stages = await the().docs(["job", jobId, "--wait"]);
    expect(stages.json).toMatchObject({ attempt: 2, status: "failed" });
  });

  test("an unknown job is E202, and a viewer may do neither", async () => {
    for (const verb of ["retry", "cancel"]) {
      expect((await the().docs([verb, noId])).json).toMatchObject({ error: { code: "E202" } });
      const viewer = await the().docs([verb, noId], { as: "tenant-viewer" });
      expect(viewer.json).toMatchObject({ error: { code: "E204", status: 403 } });
    }
  });
});

describe("docs open", () => {
  test("hands a private copy to the viewer, with the ending of its type", async () => {
    const { documentId } = await processed("viewed.txt");
    const config = await the().emptyConfig();
    const folder = await temporaryDirectory("viewer");
    const viewer = join(folder, "viewer.sh");
    await Bun.write(viewer, `#!/bin/sh\nprintf '%s' "$1" > '${join(folder, "shown")}'\n`);
    await chmod(viewer, 0o700);
    const words = ["open", documentId, "--tenant-id", the().platform.workspaces.tenant];
    const { exitCode, json } = await the().docs(words, { config, variables: { BROWSER: viewer } });
    expect(exitCode).toBe(0);
    const path = await Bun.file(join(folder, "shown")).text();
    expect(json).toEqual({ documentId, output: path, opened: true });
    expect(path).toMatch(/\/viewed\.txt$/);
    expect(await Bun.file(path).text()).toContain("viewed.txt");
    expect((await stat(join(config, "opened"))).mode & 0o777).toBe(0o700);
    expect(await readdir(join(config, "opened"))).toHaveLength(1);
  });

  test("what a desktop could run is refused before it is fetched", async () => {
    let calls = 0;
    const { exitCode, json } = await the().docs(["open", "DOC-2026-000001"], {
      fetch: () => {
        calls += 1;
        const record = { documentId: noId, filename: "invoice.pdf", mediaType: "text/html" };
        return Promise.resolve(Response.json(record));
      },
    });
    expect({ exitCode, calls }).toEqual({ exitCode: 1, calls: 1 });
    expect(json).toMatchObject({
      error: {
        code: "E305",
        message: "Invalid input: a document of type text/html is not opened",
        hint: "Save it instead: `svc docs content DOC-2026-000001 --output <path>`",
      },
    });
  });
});
