import { expect, test } from "vitest";
import { id, sent } from "../stub-platform.ts";

test("a job is cancelled", async () => {
  expect(await sent(`docs cancel ${id}`)).toMatchObject({
    exitCode: 0,
    requests: [["documents.cancelJob", { jobId: id }]],
    stdout: expect.stringContaining(
      "job            0198f0a0-2222-7000-8000-000000000002\nstatus         word",
    ),
  });
});
