import type { Answer, RecordedPlatform } from "./recorded-platform.ts";
import type { Issued } from "./issued.ts";

const apps = "/v4/platform/provisioning/idp-apps";

/** Makes an app, a request for a workflow, a deleted child and a purged one. */
export async function makeWorkspaces(
  platform: RecordedPlatform,
  { council, main }: { readonly council: string; readonly main: string },
): Promise<Pick<Issued, "app"> & { readonly deleted: string }> {
  const base = `/v4/platform/tenants/${main}`;
  const key = "planning-portal";
  const registered = await platform.call("POST", apps, {
    tenant: main,
    body: { key, displayName: "Portal", redirectUris: ["https://portal.example/auth/callback"] },
  });
  const clientId = registered.text("clientId");
  const rotated = await platform.call("POST", `${apps}/${clientId}/rotate-secret`, {
    tenant: main,
  });
  const secrets = [registered, rotated].map((answer) => answer.text("clientSecret"));

  await platform.call("POST", `${base}/apps`, {
    body: { key: "stored-app", displayName: "Stored app", template: "blank-vertical-template" },
  });
  const jobs = `${base}/apps/stored-app/provisioning-jobs`;
  const job = `${jobs}/${(await platform.call("POST", jobs)).text("jobId")}`;
  await platform.until(job, {}, (answer) => /^(?:ready|failed)$/.test(answer.text("status")));
  await platform.call("POST", "/v4/workflows/runtime-requests", {
    body: { tenant_id: main, workflow_key: "letters", display_name: "Letters", reason: "Replies" },
  });
  return { app: { clientId, secrets, job }, deleted: await makeRemoved(platform, council) };
}

/** A child that can be restored, and one of which only the receipt is left. */
async function makeRemoved(platform: RecordedPlatform, council: string): Promise<string> {
  const children = `/v4/platform/tenants/${council}/children`;
  const ids: string[] = [];
  for (const slug of ["archive", "scratch"]) {
    const body = { slug, displayName: slug, usecase: "council" };
    const id = (await platform.call("POST", children, { body })).text("id");
    await platform.call("POST", `${children}/${id}/bootstrap-admin`);
    await addPaper(platform, id);
    ids.push(id);
  }
  const [deleted = "", purged = ""] = ids;
  await platform.call("POST", `/v4/platform/tenants/${deleted}/delete`);
  await platform.call("POST", `${children}/${purged}/delete`);
  return deleted;
}

async function addPaper(platform: RecordedPlatform, tenant: string): Promise<Answer> {
  const type = { name: "Paper", slug: "paper", properties: { title: { type: "string" } } };
  await platform.call("POST", "/v4/data/resources/object-types", { tenant, body: type });
  const path = `/v4/data/resources/${tenant}/paper`;
  return platform.call("POST", path, { body: { title: "A paper" } });
}
