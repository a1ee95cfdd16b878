import { describe, expect, test } from "vitest";
import { accepted, documentWorld } from "../documents-world.ts";

const the = documentWorld();
const noId = "01890000-0000-7000-8000-000000000000";

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
