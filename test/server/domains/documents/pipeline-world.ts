import { selectWorkspace } from "#local/configuration/profiles.ts";
import { runCommand } from "#test/commands/world.ts";
import { field, type Answered, type TestPlatform } from "#test/support/platform.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { expect } from "vitest";

/** Adds a record, or changes the one with the same keys. */
export async function save(
  the: TestPlatform,
  type: string,
  data: Record<string, unknown>,
): Promise<void> {
  const path = `/v4/data/resources/${the.workspaces.tenant}/${type}`;
  const admin = the.as("tenant-admin");
  const { vertical_key, workflow_key } = data;
  const where = encodeURIComponent(JSON.stringify({ vertical_key, workflow_key }));
  const [found] = itemsOf(await admin.get(`${path}?where=${where}`));
  const version = field(found, "version");
  const saved =
    found === undefined
      ? await admin.post(path, data)
      : await admin.put(`${path}/${String(field(found, "id"))}`, { version, data });
  expect(saved.status, saved.text).toBeLessThan(300);
}

export async function recordCounts(the: TestPlatform): Promise<Record<string, unknown>> {
  const { tenant } = the.workspaces;
  const admin = the.as("tenant-admin");
  const headers = { "x-tenant-id": tenant };
  const types = itemsOf(await admin.get("/v4/data/resources/object-types", { headers }));
  const counts: Record<string, unknown> = {};
  for (const slug of types.map((type) => String(field(type, "slug")))) {
    const path = `/v4/data/resources/${tenant}/${slug}?count=true&limit=1`;
    counts[slug] = field((await admin.get(path)).json, "total");
  }
  return counts;
}

export async function documentsNamed(the: TestPlatform, filename: string): Promise<unknown[]> {
  const where = encodeURIComponent(JSON.stringify({ filename }));
  const headers = { "x-tenant-id": the.workspaces.tenant };
  return itemsOf(
    await the.as("tenant-staff").get(`/v4/data/documents/records?where=${where}`, { headers }),
  );
}

function itemsOf({ json, text: body }: Answered): unknown[] {
  const items = field(json, "items");
  if (!Array.isArray(items)) throw new TypeError(body);
  return items;
}

export async function problemOf(response: Response): Promise<Record<string, unknown>> {
  return (await response.clone().json()) as Record<string, unknown>;
}

/** Runs `svc` with a selected workspace; keeps its requests. */
export async function command(the: TestPlatform, words: readonly string[]) {
  const config = await temporaryDirectory("config");
  const workspace = { id: the.workspaces.tenant, slug: "tenant", displayName: "tenant" };
  await selectWorkspace({
    configDirectory: config,
    profile: "default",
    workspace: { ...workspace, origin: the.baseUrl },
  });
  const requests: string[] = [];
  const called = await runCommand([...words, "--format", "json"], {
    config,
    token: the.users["tenant-staff"].token,
    fetch: (request) => {
      requests.push(request.url);
      return the.platform.fetch(request);
    },
  });
  return { json: called.json, requests };
}
