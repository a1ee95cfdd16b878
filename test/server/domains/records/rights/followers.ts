import { expect } from "vitest";
import { toolsFor } from "#server/domains/chat/generative/tools.ts";
import { toolAccess } from "#server/platform/tool-access.ts";
import { workOfRole } from "#server/work/works.ts";
import { field, type Answered, type Caller, type TestPlatform } from "#test/support/platform.ts";
import { enroll } from "../../verticals/portal.ts";
import { good, type RoleOfTest, type World } from "./world.ts";

/** The tools for an answer, by the rights of a role. */
export async function chatTools(the: TestPlatform, role: RoleOfTest) {
  const { tenant } = the.workspaces;
  const { oid } = the.users[role];
  const work = the.platform.platformWork("an answer of a test").onBehalfOf(oid);
  const ofRole = workOfRole(work, { id: tenant, role });
  return toolsFor(ofRole, toolAccess(the.platform.services), tenant, () => Promise.resolve([]));
}

/** The records that a model reads when it searches for the word. */
export async function chatAnswer({ the, secretWord }: World, role: RoleOfTest): Promise<Answered> {
  const tools = await chatTools(the, role);
  const tool = tools.find(({ name }) => name === "search_records");
  const run = await tool?.run({ query: secretWord }, AbortSignal.timeout(10_000));
  return answered(JSON.stringify(run));
}

/** The events of two changes after a list's cursor, with the records in their versions. */
export async function afterCursor(world: World, caller: Caller): Promise<Answered> {
  const { the, path, id, visits, visitSlug, headers } = world;
  const listed = good(await caller.get(`${visits}?limit=1`));
  const cursor = String(field(listed.json, "feedCursor"));
  const admin = the.as("tenant-admin");
  good(await admin.patch(`${path}/${id}`, { data: { state: crypto.randomUUID() } }));
  // Each role reads this change, so that the stream has an end for those without the other.
  good(await admin.post(visits, {}));
  const query = new URLSearchParams({ cursor, full: "true" });
  const response = await caller.fetch("GET", `/v4/realtime/events?${query.toString()}`, {
    headers,
  });
  expect(response.status).toBe(200);
  let text = "";
  for await (const part of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += part;
    if (text.includes(`"subject":"${visitSlug}/`)) break;
  }
  return answered(text);
}

/** The deliveries of a change to an endpoint with the rights of a role. */
export async function deliveries(world: World, role: RoleOfTest): Promise<Answered> {
  const { the, path, id, headers } = world;
  const admin = the.as("tenant-admin");
  const endpoints = "/v4/webhooks/endpoints";
  const wanted = { temporary: true, kinds: ["record"], body: "full", role };
  const made = good(await admin.post(endpoints, wanted, { headers }));
  const endpoint = `${endpoints}/${String(field(made.json, "id"))}`;
  good(await admin.patch(`${path}/${id}`, { data: { state: crypto.randomUUID() } }));
  await the.platform.services.webhooks.worker.settle();
  const pulled = good(await admin.post(`${endpoint}/pull`, {}, { headers }));
  good(await admin.delete(endpoint, { headers }));
  return pulled;
}

const products = new WeakMap<World, Promise<string>>();

/** An answer of a product whose routes show all fields of the type. */
export async function declared(world: World, caller: Caller, path: string): Promise<Answered> {
  const pending = products.get(world) ?? newProduct(world);
  products.set(world, pending);
  return caller.get(`/v4/verticals/${await pending}/${path}`, { headers: world.headers });
}

async function newProduct({ the, slug }: World): Promise<string> {
  const key = `product-of-${slug}`;
  await enroll(the, key, [
    { method: "GET", path: "entries", type: slug },
    { method: "GET", path: "entries/{label}", type: slug },
  ]);
  return key;
}

function answered(text: string): Answered {
  return { status: 200, headers: new Headers(), text, json: undefined };
}
