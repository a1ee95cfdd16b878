import { expect, test } from "vitest";
import { id, sent, workspace } from "../stub-platform.ts";

const stdout =
  "records               1 of 1\ndocuments             1 of 1\nbytes                 1 of 1\n" +
  "requests in a minute  1\nplatform's requests   1 per minute\n" +
  "platform's backup     2026-01-02T03:04:05.006Z\n";

test("quotas are printed next to their use", async () => {
  expect(await sent("workspace quota")).toMatchObject({
    exitCode: 0,
    requests: [["quotas.read", { tenantId: workspace }]],
    stdout,
  });
  expect(await sent(`workspace quota --workspace ${id}`)).toMatchObject({
    exitCode: 0,
    requests: [["quotas.read", { tenantId: id }]],
    stdout,
  });
});
