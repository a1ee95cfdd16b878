import { expect, test } from "vitest";
import { sent, workspace } from "../stub-platform.ts";

test("the status of a workflow is read", async () => {
  expect(await sent("workflow status intake")).toMatchObject({
    exitCode: 0,
    requests: [["workflows.status", { workflowKey: "intake", tenant_id: workspace }]],
    stdout:
      "workflow   word\nstatus     word\nreason     word\nrequested  2026-01-02T03:04:05.006Z\n",
  });
});
