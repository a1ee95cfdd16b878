import { expect, test } from "vitest";
import { jobReading, provisioning, workflowRequest } from "#ui/apps/actions.ts";
import { recorded } from "../support/recorded-action.ts";

const app = { id: "1", key: "planning", displayName: "Planning" } as never;
const memberships = [{ id: "c", slug: "child" }] as never;

test("an app is provisioned in its workspace, or in the open one", async () => {
  const here = await recorded(provisioning, { app, memberships }, { jobId: "j" });
  expect(here).toMatchObject({
    title: "Provision Planning",
    command: [["app", "provision", "planning"]],
    calls: [["apps.provision", { params: { key: "planning" }, body: { targetTenantId: "w" } }]],
    done: "the provisioning of planning is job j",
  });
  expect(here.effects?.[0]).toContain("in this workspace");
  const away = { ...(app as object), runtimeTenantId: "c" } as never;
  const there = await recorded(provisioning, { app: away, memberships }, { jobId: "j" });
  expect(there.effects?.[0]).toContain("in child");
  expect(there.calls[0]?.[1]).toMatchObject({ body: { targetTenantId: "c" } });
});

test("a job is read, and a workflow is requested with its reason, if there is one", async () => {
  expect((await recorded(jobReading, { app, jobId: "j" }, { jobId: "j" })).calls).toEqual([
    ["apps.job", { tenantId: "w", params: { key: "planning", jobId: "j" }, query: {} }],
  ]);
  const { calls, done } = await recorded(workflowRequest, { key: "intake", reason: "" });
  const body = { tenant_id: "w", workflow_key: "intake", display_name: "intake" };
  expect([calls, done]).toEqual([[["workflows.request", { body }]], "requested intake: accepted"]);
  const reasoned = await recorded(workflowRequest, { key: "intake", reason: "pilot" });
  expect(reasoned.calls[0]?.[1]).toEqual({ body: { ...body, reason: "pilot" } });
});
