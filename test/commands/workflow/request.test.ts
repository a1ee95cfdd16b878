import { expect, test } from "vitest";
import { sent, workspace } from "../stub-platform.ts";

test("a workflow is requested for a purpose", async () => {
  expect(await sent("workflow request intake --reason pilot")).toMatchObject({
    exitCode: 0,
    requests: [
      [
        "workflows.request",
        {},
        { tenant_id: workspace, workflow_key: "intake", display_name: "intake", reason: "pilot" },
      ],
    ],
    stdout:
      "workflow   word\nstatus     word\nrequest    0198f0a0-2222-7000-8000-000000000002\nrequested  2026-01-02T03:04:05.006Z\n",
  });
  expect(await sent("workflow request intake")).toMatchObject({
    exitCode: 0,
    requests: [
      [
        "workflows.request",
        {},
        {
          tenant_id: workspace,
          workflow_key: "intake",
          display_name: "intake",
          reason: "Requested with svc for intake",
        },
      ],
    ],
    stdout:
      "workflow   word\nstatus     word\nrequest    0198f0a0-2222-7000-8000-000000000002\nrequested  2026-01-02T03:04:05.006Z\n",
  });
});
