import { expect, test } from "vitest";
import { apiCases } from "#test/support/api-cases.ts";
import { describePlatform, field, type TestPlatform } from "#test/support/platform.ts";
import { absent } from "../workspaces/own-child.ts";
import { ended, newApp, newAppWithChild } from "./world.ts";

const apps = "/v4/platform/tenants/{tenant}/apps";
const jobs = `${apps}/{key}/provisioning-jobs`;

const lowRoles = ["tenant-viewer", "tenant-staff"] as const;

/** A job of a new app that has ended. */
async function endedJob(the: TestPlatform, target?: "runtime") {
  const names = await newAppWithChild(the);
  const path = `/v4/platform/tenants/${the.workspaces.tenant}/apps/${names.key}/provisioning-jobs`;
  const body = target === undefined ? undefined : { targetTenantId: names[target] };
  const made = await the.as("tenant-admin").post(path, body);
  expect(made.status).toBe(202);
  const job = String(field(made.json, "jobId"));
  return { ...names, job, end: await ended(the, `${path}/${job}`) };
}

describePlatform("provisioning jobs", (the) => {
  apiCases(the, [
    {
      name: "are accepted from a builder for the same workspace",
      as: "tenant-builder",
      method: "POST",
      path: jobs,
      before: newApp,
      expect: {
        status: 202,
        body: { key: "{key}", targetTenantId: "{tenant}", error: null },
        headers: { location: /\/provisioning-jobs\/[\w-]+$/, "retry-after": "1" },
      },
    },
    {
      name: "for a child are not a builder's",
      as: "tenant-builder",
      method: "POST",
      path: jobs,
      before: newAppWithChild,
      body: { targetTenantId: "{runtime}" },
      expect: { status: 403, body: { requiredRole: "tenant-admin" } },
    },
    ...lowRoles.map((as) => ({
      name: `are not started by ${as}`,
      as,
      method: "POST",
      path: jobs,
      before: newApp,
      expect: { status: 403, code: "permission-denied" as const },
    })),
    ...["{other}", absent].map((targetTenantId) => ({
      name: `do not reach the workspace ${targetTenantId}`,
      method: "POST",
      path: jobs,
      before: newApp,
      body: { targetTenantId },
      expect: { status: 422, pointers: ["#/targetTenantId"] },
    })),
    {
      name: "need an enrollment",
      method: "POST",
      path: `${apps}/no-such-app/provisioning-jobs`,
      expect: { status: 404, code: "not-found" },
    },
    {
      name: "of a stranger's workspace are 404",
      as: "outsider",
      method: "POST",
      path: jobs,
      before: newApp,
      expect: { status: 404, code: "not-found" },
    },
    {
      name: "are read by every member",
      as: "tenant-viewer",
      method: "GET",
      path: `${jobs}/{job}?targetTenantId={tenant}`,
      before: async (platform) => {
        const { key, job } = await endedJob(platform);
        return { key, job };
      },
      expect: { status: 200, body: { jobId: "{job}", status: "ready" } },
    },
    {
      name: "are not read with another target",
      method: "GET",
      path: `${jobs}/{job}?targetTenantId={child}`,
      before: async (platform) => {
        const { key, job } = await endedJob(platform);
        return { key, job };
      },
      expect: { status: 404, code: "not-found" },
    },
    {
      name: "are not read under another app",
      method: "GET",
      path: `${apps}/other-app/provisioning-jobs/{job}`,
      before: async (platform) => ({ job: (await endedJob(platform)).job }),
      expect: { status: 404, code: "not-found" },
    },
    {
      name: "are not read from another workspace",
      as: "outsider",
      method: "GET",
      path: "/v4/platform/tenants/{other}/apps/{key}/provisioning-jobs/{job}",
      before: async (platform) => {
        const { key, job } = await endedJob(platform);
        return { key, job };
      },
      expect: { status: 404, code: "not-found" },
    },
    {
      name: "have ids",
      method: "GET",
      path: `${apps}/x/provisioning-jobs/nonsense?targetTenantId=nonsense`,
      expect: { status: 422, pointers: ["#/path/jobId"] },
    },
  ]);

  test("bring an app to its own workspace, step by step", async () => {
    const { key, end } = await endedJob(the());
    expect(end.json).toMatchObject({
      key,
      status: "ready",
      error: null,
      steps: [
        { name: "enrollment", status: "succeeded", finishedAt: expect.any(String) },
        { name: "workspace", status: "skipped" },
        { name: "object-types", status: "succeeded" },
        { name: "storage", status: "succeeded" },
        { name: "binding", status: "skipped" },
        { name: "activation", status: "succeeded" },
      ],
    });
    expect(await enrollmentOf(the(), the().workspaces.tenant, key)).toMatchObject({
      status: "active",
    });
  });

  test("bring an app to a separate child", async () => {
    const { key, runtime, end } = await endedJob(the(), "runtime");
    expect(end.json).toMatchObject({ status: "ready", targetTenantId: runtime });
    expect(await enrollmentOf(the(), runtime, key)).toMatchObject({
      vertical_key: key,
      status: "active",
    });
    expect(await enrollmentOf(the(), the().workspaces.tenant, key)).toMatchObject({
      status: "active",
      runtime_tenant_id: runtime,
    });
  });

  test("are repeated without a change of what is done", async () => {
    const { key, end } = await endedJob(the());
    const { tenant } = the().workspaces;
    const before = await enrollmentRecord(the(), tenant, key);
    const path = `/v4/platform/tenants/${tenant}/apps/${key}/provisioning-jobs`;
    const again = await the().as("tenant-builder").post(path);
    const id = String(field(again.json, "jobId"));
    expect(id).not.toBe(field(end.json, "jobId"));
    expect((await ended(the(), `${path}/${id}`)).json).toMatchObject({ status: "ready" });
    expect(await enrollmentRecord(the(), tenant, key)).toEqual(before);
  });

  test("fail with the step and its reason", async () => {
    const { key } = await newApp(the());
    const { tenant } = the().workspaces;
    const admin = the().as("tenant-admin");
    const types = "/v4/data/resources/object-types";
    const bare = await admin.post(`/v4/platform/tenants/${tenant}/children`, {
      slug: `bare-${key}`,
      displayName: "Bare",
      starterTemplate: "empty-template",
    });
    const target = String(field(bare.json, "id"));
    await admin.post(`/v4/platform/tenants/${tenant}/children/${target}/bootstrap-admin`);
    // The names are equal, so that the template's type cannot be published.
    const taken = { name: "SharedAiProfile", slug: "mine", properties: {} };
    await admin.post(types, taken, { headers: { "x-tenant-id": target } });
    const path = `/v4/platform/tenants/${tenant}/apps/${key}/provisioning-jobs`;
    const made = await admin.post(path, { targetTenantId: target });
    const end = await ended(the(), `${path}/${String(field(made.json, "jobId"))}`);
    expect(end.json).toMatchObject({
      status: "failed",
      error: { code: "already-exists", message: expect.any(String) },
      steps: expect.arrayContaining([
        expect.objectContaining({ name: "object-types", status: "failed" }),
        expect.objectContaining({ name: "activation", status: "pending" }),
      ]),
    });
    expect(await enrollmentOf(the(), tenant, key)).toMatchObject({ status: "pending" });
  });

  test("are one for two requests at once", async () => {
    const { key } = await newApp(the());
    const path = `/v4/platform/tenants/${the().workspaces.tenant}/apps/${key}/provisioning-jobs`;
    const admin = the().as("tenant-admin");
    const made = await Promise.all([admin.post(path), admin.post(path), admin.post(path)]);
    expect(made.map(({ status }) => status)).toEqual([202, 202, 202]);
    expect(new Set(made.map(({ json }) => field(json, "jobId"))).size).toBeLessThan(3);
    for (const { json } of made) await ended(the(), `${path}/${String(field(json, "jobId"))}`);
  });
});

async function enrollmentRecord(the: TestPlatform, workspace: string, key: string) {
  const where = encodeURIComponent(JSON.stringify({ vertical_key: key }));
  const path = `/v4/data/resources/${workspace}/tenant-vertical-enrollment?where=${where}`;
  const { json } = await the.as("tenant-admin").get(path);
  return (field(json, "items") as { data: object }[])[0];
}

async function enrollmentOf(the: TestPlatform, workspace: string, key: string) {
  return (await enrollmentRecord(the, workspace, key))?.data;
}
