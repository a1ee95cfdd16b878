import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { dialects, type Dialect } from "./dialects.ts";
import { servedRoutes, startOtherDeployment, type OtherDeployment } from "./deployment.ts";

const running: OtherDeployment[] = [];

afterEach(async () => {
  await Promise.all(running.splice(0).map((deployment) => deployment.close()));
});

async function start(dialect: Dialect): Promise<OtherDeployment> {
  const deployment = await startOtherDeployment(dialect);
  running.push(deployment);
  return deployment;
}

function fetched(
  { url, token }: OtherDeployment,
  path: string,
  init: Omit<RequestInit, "headers"> & { readonly headers?: Record<string, string> } = {},
): Promise<Response> {
  const headers = { authorization: `Bearer ${token}`, ...init.headers };
  return fetch(`${url}${path}`, { redirect: "manual", ...init, headers });
}

/** The routes of spec 4.1 to 4.5. */
const specified = `
POST /v4/data/documents/upload
GET /v4/data/documents/jobs/{}
GET /v4/data/documents/records/{}
GET /v4/data/documents/records/{}/content
DELETE /v4/data/documents/records/{}
POST /v4/data/documents/classify-by-url
POST /v4/data/documents/rag-index
GET /v4/data/resources/{}/{}
GET /v4/data/resources/{}/{}/{}
POST /v4/data/resources/{}/{}
PUT /v4/data/resources/{}/{}/{}
DELETE /v4/data/resources/{}/{}/{}
POST /v4/data/resources/{}/query
POST /v4/data/resources/{}/{}/aggregate
POST /v4/data/resources/{}/search
POST /v4/data/resources/{}/{}/batch/create
POST /v4/data/resources/{}/{}/batch/update
POST /v4/data/resources/{}/{}/batch/delete
GET /v4/data/resources/{}/{}/{}/history
POST /v4/data/resources/{}/{}/{}/actions/{}
POST /v4/data/resources/{}/{}/{}/files/{}
GET /v4/data/resources/{}/{}/{}/files/{}
DELETE /v4/data/resources/{}/{}/{}/files/{}
GET /v4/data/resources/object-types
POST /v4/data/resources/object-types
PATCH /v4/data/resources/object-types/{}
GET /v4/data/resources/schema/{}
GET /v4/data/resources/health
GET /v4/data/resources/{}/storage
GET /v4/data/resources/{}/storage/doctor
POST /v4/data/resources/{}/storage/provision
POST /v4/data/resources/{}/storage/sync-schema
POST /v4/platform/tenants/{}/resourceapi/index-plan
POST /v4/platform/tenants
POST /v4/platform/tenants/{}/children
POST /v4/platform/tenants/{}/children/{}/bootstrap-admin
POST /v4/platform/tenants/{}/delete
POST /v4/platform/tenants/{}/children/{}/delete
POST /v4/platform/tenants/{}/apps
POST /v4/platform/tenants/{}/apps/{}/provisioning-jobs
GET /v4/platform/tenants/{}/apps/{}/provisioning-jobs/{}
GET /v4/platform/tenants/{}/users/by-email
GET /v4/platform/tenants/{}/users/{}/memberships
POST /v4/platform/tenants/{}/users/{}/provision
POST /v4/platform/tenants/{}/members/invite
GET /v4/platform/tenants/{}/members
GET /v4/platform/tenants/{}/role-definitions
PATCH /v4/platform/tenants/{}/members/{}/roles
POST /v4/platform/capabilities/evaluate
GET /v4/platform/capabilities/catalog
POST /v4/platform/provisioning/idp-apps
POST /v4/platform/provisioning/idp-apps/{}/rotate-secret
DELETE /v4/platform/provisioning/idp-apps/{}
GET /v4/identity/tenants
POST /v4/identity/me/provision
GET /v4/identity/me
PATCH /v4/identity/me/profile
POST /v4/ai/chat/{}/{}/{}
POST /v4/ai/chat/stream/{}/{}/{}
GET /v4/workflows/runtime/{}/status
POST /v4/workflows/runtime-requests
GET /v4/integrations/builder/readiness
POST /v4/geo/resolve-location
`
  .trim()
  .split("\n");

test("every route of the specification is served", () => {
  const served = new Set(servedRoutes.map((route) => route.replaceAll(/\{\w+\}/g, "{}")));
  expect(specified.filter((route) => !served.has(route))).toEqual([]);
});

test("nothing of the product is imported", async () => {
  const files = await readdir(import.meta.dirname, { recursive: true });
  const sources = files.filter((file) => file.endsWith(".ts"));
  expect(sources.length).toBeGreaterThan(15);
  for (const file of sources) {
    const text = await Bun.file(join(import.meta.dirname, file)).text();
    const specifiers = [
      ...text.matchAll(/^(?:import|} from)\b[^;"]*"([^"]+)"|\bimport\("([^"]+)"/gm),
    ];
    const foreign = specifiers
      .map(([, named, loaded]) => named ?? loaded ?? "")
      .filter((specifier) => !/^(?:\.{1,2}\/(?!\.\.)[\w./-]+|node:[\w/]+|vitest)$/.test(specifier));
    expect({ file, foreign }).toEqual({ file, foreign: [] });
  }
});

test("each open choice is made in more than one way", () => {
  const [first] = dialects;
  for (const name of Object.keys(first ?? {})) {
    const choices = new Set(
      dialects.map((dialect) =>
        JSON.stringify(Object.entries(dialect).find(([key]) => key === name)),
      ),
    );
    expect({ name, ways: choices.size }).toEqual({ name, ways: expect.toSatisfy((n) => n > 1) });
  }
});

describe.each(dialects)("the dialect $name", (dialect) => {
  test("lists records page by page, in its envelope and to their end", async () => {
    const deployment = await start(dialect);
    const list = `/v4/data/resources/${deployment.workspaceId}/street-tree`;
    const found: unknown[] = [];
    for (let page = 1; page < 10; page += 1) {
      const response = await fetched(deployment, `${list}?page=${page}`);
      expect(response.status).toBe(200);
      const body: unknown = await response.json();
      const named = new Map(Object.entries(body ?? {})).get(dialect.lists);
      const items = dialect.lists === "bare" ? body : named;
      if (!Array.isArray(items)) throw new Error(`no list: ${JSON.stringify(body)}`);
      if (items.length === 0) break;
      expect(items.length).toBeLessThanOrEqual(dialect.pageSize);
      found.push(...items);
    }
    expect(found).toHaveLength(5);
    const data = expect.objectContaining({ species: expect.any(String) });
    for (const record of found) {
      expect(record).toMatchObject({ id: expect.any(String), version: 1, data });
    }
  });

  test("refuses an unknown token, another workspace and a missing route in its own form", async () => {
    const deployment = await start(dialect);
    const unsigned = { headers: { authorization: "Bearer other" } };
    expect((await fetched(deployment, "/v4/identity/me", unsigned)).status).toBe(401);
    const other = "00000000-0000-4000-8000-000000000000";
    const missing = await fetched(deployment, `/v4/data/resources/${other}/street-tree`);
    expect(missing.status).toBe(404);
    const absent = await fetched(deployment, "/v4/data/documents/jobs");
    expect(absent.status).toBe(dialect.absent);
    const type = absent.headers.get("content-type") ?? "";
    const types = { html: "text/html", text: "text/plain", empty: "", problem: "problem+json" };
    const { errors } = dialect;
    expect(type).toContain(errors in types ? types[errors as keyof typeof types] : "json");
  });

  test("moves a job from accepted to its end", async () => {
    const deployment = await start(dialect);
    const [job] = deployment.workspace.jobs.keys();
    const headers = { "x-tenant-id": deployment.workspaceId };
    const bodies: string[] = [];
    for (let read = 0; read < 3; read += 1) {
      const path = `/v4/data/documents/jobs/${encodeURIComponent(job ?? "")}`;
      bodies.push(await (await fetched(deployment, path, { headers })).text());
    }
    expect(new Set(bodies).size).toBeGreaterThan(1);
    expect(bodies.at(-1)?.toLowerCase()).toContain(dialect.done);
  });

  test("keeps a file unchanged, however it frames it", async () => {
    const deployment = await start(dialect);
    const [tree] = deployment.workspace.records.get("street-tree")?.keys() ?? [];
    const path = `/v4/data/resources/${deployment.workspaceId}/street-tree/${encodeURIComponent(tree ?? "")}/files/plan`;
    const bytes = crypto.getRandomValues(new Uint8Array(5_000));
    const sent = { method: "POST", headers: { "content-type": "application/octet-stream" } };
    const refused = await fetched(deployment, `${path}?filename=a.bin`, {
      ...sent,
      headers: { "content-type": "text/plain" },
      body: bytes,
    });
    expect(refused.status).toBe(415);
    const stored = await fetched(deployment, `${path}?filename=a.bin`, { ...sent, body: bytes });
    expect(stored.ok).toBe(true);
    const read = await fetched(deployment, path);
    expect(new Uint8Array(await read.arrayBuffer())).toEqual(bytes);
  });

  test("exchanges a code with PKCE once", async () => {
    const { authUrl, token } = await start(dialect);
    const verifier = "a-verifier-of-enough-characters-for-the-provider";
    const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier));
    const redirectUri = "http://127.0.0.1:9/callback";
    const query = new URLSearchParams({
      response_type: "code",
      redirect_uri: redirectUri,
      state: "s",
      code_challenge: Buffer.from(digest).toString("base64url"),
      code_challenge_method: "S256",
    });
    const page = await fetch(`${authUrl}/oauth2/v2.0/authorize?${query.toString()}`, {
      redirect: "manual",
    });
    const back = new URL(page.headers.get("location") ?? "");
    const form = new URLSearchParams({
      grant_type: "authorization_code",
      code: back.searchParams.get("code") ?? "",
      redirect_uri: redirectUri,
      code_verifier: verifier,
    });
    const exchange = { method: "POST", body: form };
    const first = await fetch(`${authUrl}/oauth2/v2.0/token`, exchange);
    expect(await first.json()).toMatchObject({ access_token: token, token_type: "Bearer" });
    expect((await fetch(`${authUrl}/oauth2/v2.0/token`, exchange)).status).toBe(400);
  });
});
