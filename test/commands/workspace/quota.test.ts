import { expect, test } from "vitest";
import { id, sent, workspace } from "../stub-platform.ts";

test("quotas are printed next to their use", async () => {
  expect(await sent("workspace quota")).toMatchObject({
    exitCode: 0,
    requests: [["quotas.read", { tenantId: workspace }]],
    stdout:
      "records               1 of 1\ndocuments             1 of 1\nbytes                 1 of 1\nrequests in a minute  1\n",
  });
  expect(await sent(`workspace quota --workspace ${id}`)).toMatchObject({
    exitCode: 0,
    requests: [["quotas.read", { tenantId: id }]],
    stdout:
      "records               1 of 1\ndocuments             1 of 1\nbytes                 1 of 1\nrequests in a minute  1\n",
  });
});
