import { chmod, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { documentWorld } from "../documents-world.ts";

const the = documentWorld();
const noId = "01890000-0000-7000-8000-000000000000";

async function processed(name: string): Promise<{ documentId: string; documentNumber: string }> {
  const sent = await the().upload(name);
  expect((await the().docs(["job", sent.jobId, "--wait"])).exitCode).toBe(0);
  return sent;
}

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
