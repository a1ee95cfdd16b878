import type { Client } from "#client/index.ts";
import { authorizeAddress, FormBrowser } from "#test/server/domains/sign-in/form-browser.ts";
import type { BenchPlatform } from "../platform.ts";
import type { HostileOrder, HostileRequest } from "./caller.ts";

const largeRecords = 100;
const largeTextBytes = 900_000;
const searchedRecords = 5_000;
/** Callers of one workspace whose requests the platform accepts. */
const acceptedAtOnce = [4, 16, 48];

/** Another workspace with large records, hard patterns and texts to search, and what it asks. */
export async function prepareHostile({
  client,
  running,
}: BenchPlatform): Promise<Readonly<Record<string, HostileOrder>>> {
  const { id: tenantId } = await client.workspaces.createRoot({
    body: { displayName: "Hostile", slug: "hostile", homeRegion: "eu" },
  });
  const own = client.forTenant(tenantId);
  const { token } = await own.keys.create({
    params: { tenantId },
    body: { name: "Hostile", role: "tenant-builder" },
  });
  if (token === undefined) throw new Error("the key has no token");
  const properties = {
    note: { type: "text", searchable: true },
    area: { type: "integer" },
    code: { type: "text", pattern: "[ab]*a[ab]{200}c" },
    reference: { type: "string", indexed: true },
  } as const;
  await own.objectTypes.create({ body: { name: "Hostile", slug: "hostile", properties } });
  await own.objectTypes.create({
    body: { name: "Large", slug: "large", properties: { blob: { type: "text" } } },
  });
  await own.objectTypes.create({
    body: {
      name: "PlanningApplication",
      slug: "planning-application",
      properties: { reference: { type: "string" } },
    },
  });
  await fill(own);
  const { id: application } = await own
    .useResources("planning-application")
    .create({ reference: "PA-1" });
  const base = `${running.url}/v4/data/resources/${tenantId}`;
  const code = randomLetters(40_000);
  // It has a match at its end, and needs most of the steps that one request may take.
  const accepted = `${code}${"a".repeat(201)}c`;
  const get = (path: string) => ({ method: "GET", url: `${base}/${path}` }) as const;
  const post = (path: string, body: unknown) =>
    ({ method: "POST", url: `${base}/${path}`, body: JSON.stringify(body) }) as const;
  const contains = encodeURIComponent(JSON.stringify({ note: { $contains: "no such words" } }));
  const usual = {
    "batches of 500 records": post("hostile/batch/create", {
      items: Array.from({ length: 500 }, (_, at) => ({
        reference: `${at}-{number}`,
        note: `${words.join(" ")} statement ${at}`,
        area: at,
      })),
    }),
    "pages of 400 small records": get("hostile?limit=400"),
    "pages of 8 MB": get("large?limit=400"),
    "patterns just below their limit": post("hostile", { code: accepted }),
  };
  const accepts = Object.entries(usual).flatMap(([name, request]) =>
    acceptedAtOnce.map((connections) => [
      `${name}, ${connections} at once`,
      { connections, token, requests: [request] },
    ]),
  );
  return {
    ...Object.fromEntries(accepts),
    "batches of 6 MB for a hard pattern, 16 at once": {
      connections: 16,
      token,
      requests: [
        post("hostile/batch/create", { items: Array.from({ length: 150 }, () => ({ code })) }),
      ],
    },
    "searches, 60 at once": {
      connections: 60,
      token,
      requests: words.map((word) => post("search", { query: `${word} statement`, limit: 50 })),
    },
    "searches, 1,000 at once": {
      connections: 1_000,
      token,
      requests: words.map((word) => post("search", { query: `${word} statement`, limit: 50 })),
    },
    "sorts, filters and aggregates without an index, 64 at once": {
      connections: 64,
      token,
      requests: [
        get("hostile?sort=-area&limit=100"),
        get(`hostile?where=${contains}&limit=100`),
        post("hostile/aggregate", {
          groupBy: ["area"],
          metrics: { total: { op: "sum", field: "area" } },
        }),
      ],
    },
    "documents of 1 MB to extract and index, 16 at once": {
      connections: 16,
      token,
      requests: [uploadOf(`${running.url}/v4/data/documents/upload`, tenantId, application)],
    },
    "wrong passwords, 64 at once": {
      connections: 64,
      token,
      requests: [await signInOf(running.url)],
    },
  };
}

/** A text of 1 MB, each time another one. */
function uploadOf(url: string, tenantId: string, application: string): HostileRequest {
  const boundary = "a-boundary";
  const fields = {
    tenant_id: tenantId,
    storage_target: "resourceapi",
    processing_mode: "full",
    planning_application_id: application,
  };
  const line = `The ${words.join(" and the ")} are in this statement.\n`;
  const parts = [
    ...Object.entries(fields).map(
      ([name, value]) => `content-disposition: form-data; name="${name}"\r\n\r\n${value}`,
    ),
    `content-disposition: form-data; name="files"; filename="a.txt"\r\n` +
      `content-type: text/plain\r\n\r\n{number}\n${line.repeat(1_000_000 / line.length)}`,
  ];
  const body = `${parts.map((part) => `--${boundary}\r\n${part}\r\n`).join("")}--${boundary}--\r\n`;
  const headers = {
    "content-type": `multipart/form-data; boundary=${boundary}`,
    "x-tenant-id": tenantId,
  };
  return { method: "POST", url, body, headers };
}

/** The form of a sign-in page with a wrong password. */
async function signInOf(base: string): Promise<HostileRequest> {
  let sent: HostileRequest | undefined;
  const browser = new FormBrowser(base, async (request) => {
    const { method, url } = request;
    const headers = Object.fromEntries(request.headers);
    if (method === "GET") return fetch(url, { headers, redirect: "manual" });
    const body = await request.text();
    sent = { method: "POST", url, headers, body };
    return fetch(url, { method, headers, body, redirect: "manual" });
  });
  await browser.visit(authorizeAddress());
  const { status } = await browser.press("sign-in", { email: "a@example.org", password: "wrong" });
  if (sent === undefined || status !== 401) {
    throw new Error(`a wrong password is answered with ${status}`);
  }
  return sent;
}

/** The same letters in each run, without a period that an automaton could learn. */
function randomLetters(count: number): string {
  let state = 1;
  const letters = Array.from({ length: count }, () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state > 2 ** 30 ? "a" : "b";
  });
  return letters.join("");
}

const words = ["quay", "station", "granary", "orchard", "harbour", "mill", "kiln", "church"];

async function fill(own: Client): Promise<void> {
  const records = own.useResources("hostile");
  for (let at = 0; at < searchedRecords; at += 100) {
    const items = Array.from({ length: 100 }, (_, index) => ({
      note: `${words.join(" ")} statement ${words[(at + index) % words.length] ?? ""} ${at + index}`,
      area: (at + index) % 997,
    }));
    await records.batchCreate(items);
  }
  for (let at = 0; at < largeRecords; at += 1) {
    await own.useResources("large").create({ blob: String(at).padEnd(largeTextBytes, "x") });
  }
}
