import { expect, onTestFinished, test } from "vitest";
import { openTestPlatform, type TestPlatform, type TestUser } from "#test/support/platform.ts";
import { describeEachDatabase } from "#test/support/postgres.ts";
import { newMember } from "../members/world.ts";
import { reading, type OpenStream } from "./open-stream.ts";

describeEachDatabase("a stream of changes", ({ engine }) => {
  async function world(options: Parameters<typeof openTestPlatform>[1] = {}) {
    const the = await openTestPlatform(engine, options);
    onTestFinished(() => the.close());
    const { tenant } = the.workspaces;
    await the.as("tenant-builder").post(
      "/v4/data/resources/object-types",
      {
        name: "Case",
        slug: "case",
        properties: {
          officer: { type: "string", indexed: true },
          note: { type: "string" },
          secret: { type: "string", indexed: true, readRoles: ["tenant-builder"] },
        },
      },
      { headers: { "x-tenant-id": tenant } },
    );
    return the;
  }

  async function stream(
    the: TestPlatform,
    query: Record<string, string>,
    user: TestUser = "tenant-viewer",
  ) {
    const path = `/v4/realtime/events?${new URLSearchParams(query).toString()}`;
    const response = await the.as(user).fetch("GET", path, {
      headers: { "x-tenant-id": the.workspaces.tenant },
    });
    return response;
  }

  async function add(the: TestPlatform, data: object): Promise<{ id: string; version: number }> {
    const path = `/v4/data/resources/${the.workspaces.tenant}/case`;
    const { json, status } = await the.as("tenant-builder").post(path, { data });
    expect(status).toBe(201);
    return json as { id: string; version: number };
  }

  test("has the changes of matching records, and when one leaves the filter", async () => {
    const the = await world();
    const where = JSON.stringify({ officer: "kim" });
    const opened = reading(await stream(the, { types: "case", where }));
    onTestFinished(() => opened.cancel());
    expect(await opened.any()).toMatchObject({ type: "svc.feed.bookmark" });
    await add(the, { officer: "lee" });
    const { id } = await add(the, { officer: "kim" });
    const created = await opened.next();
    expect(created).toMatchObject({
      specversion: "1.0",
      type: "svc.resource.created",
      subject: `case/${id}`,
      workspaceid: the.workspaces.tenant,
      version: 1,
      data: { after: { officer: "kim" } },
    });
    const path = `/v4/data/resources/${the.workspaces.tenant}/case/${id}`;
    await the.as("tenant-staff").patch(path, { data: { note: "seen" }, version: 1 });
    expect(await opened.next()).toMatchObject({
      type: "svc.resource.updated",
      version: 2,
      data: { changed: ["note"] },
    });
    await the.as("tenant-staff").patch(path, { data: { officer: "lee" }, version: 2 });
    expect(await opened.next()).toMatchObject({ type: "svc.resource.left", version: 3 });
  });

  test("continues after a break from a list, an event, or a bookmark, without a gap", async () => {
    const the = await world();
    const listed = await the
      .as("tenant-viewer")
      .get(`/v4/data/resources/${the.workspaces.tenant}/case`);
    const { feedCursor } = listed.json as { feedCursor: string };
    expect(listed.headers.get("x-feed-cursor")).toBe(feedCursor);
    const ids = [];
    for (const officer of ["a", "b", "c"]) ids.push((await add(the, { officer })).id);
    const first = reading(await stream(the, { types: "case", cursor: feedCursor }));
    const seen = await first.next();
    await first.cancel();
    expect(seen.subject).toBe(`case/${ids[0]}`);
    const second = reading(await stream(the, { types: "case", cursor: seen.svccursor ?? "" }));
    onTestFinished(() => second.cancel());
    const rest = [await second.next(), await second.next()];
    expect(rest.map(({ subject }) => subject)).toEqual([`case/${ids[1]}`, `case/${ids[2]}`]);
    const { id } = await add(the, { officer: "d" });
    expect((await second.next()).subject).toBe(`case/${id}`);
  });

  test("is without fields and types that the caller may not read", async () => {
    const the = await world();
    const opened = reading(await stream(the, { types: "case", full: "true" }));
    onTestFinished(() => opened.cancel());
    await add(the, { officer: "kim", secret: "word" });
    const event = await opened.next();
    expect(JSON.stringify(event)).not.toContain("secret");
    expect(event.data).toMatchObject({
      after: { officer: "kim" },
      record: { version: 1, data: { officer: "kim" } },
    });
    const where = JSON.stringify({ secret: "word" });
    expect((await stream(the, { types: "case", where })).status).toBe(422);
    expect((await stream(the, { types: "case", where }, "tenant-builder")).status).toBe(200);
  });

  test("refuses unusable filters, forged cursors, and too many streams", async () => {
    const the = await world({ limits: { streamsPerCaller: 2 } });
    const status = async (query: Record<string, string>) => (await stream(the, query)).status;
    expect(await status({ types: "unknown" })).toBe(422);
    expect(await status({ types: "case", where: '{"note":"x"}' })).toBe(422);
    expect(await status({ where: '{"officer":"x"}' })).toBe(422);
    expect(await status({ types: "case", where: "{" })).toBe(422);
    const refused = await stream(the, { cursor: "forged" });
    expect(refused.status).toBe(410);
    expect(await refused.json()).toMatchObject({
      code: "feed-reset",
      reason: "unknown-cursor",
      cursor: expect.any(String),
    });
    const opened = [await stream(the, {}), await stream(the, {})];
    const third = await stream(the, {});
    expect(third.status).toBe(429);
    expect(Number(third.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(await third.json()).toMatchObject({ code: "rate-limited" });
    for (const each of opened) await each.body?.cancel();
  });

  test("ends within two seconds when the caller's role has ended", async () => {
    const the = await world();
    const opened = reading(await stream(the, {}, "tenant-staff"));
    await opened.any();
    const members = `/v4/platform/tenants/${the.workspaces.tenant}/members`;
    const listed = await the.as("tenant-admin").get(members);
    const { items } = listed.json as { items: { memberId: string; oid: string }[] };
    const { oid } = the.users["tenant-staff"];
    const path = `${members}/${items.find((member) => member.oid === oid)?.memberId}`;
    expect((await the.as("tenant-admin").delete(path)).status).toBe(200);
    for (let event = await opened.any(); event !== undefined;) event = await opened.any();
    expect((await stream(the, {}, "tenant-staff")).status).toBe(404);
  });

  async function changeOfficer(the: TestPlatform, officer: object): Promise<void> {
    const headers = { "x-tenant-id": the.workspaces.tenant };
    const path = "/v4/data/resources/object-types";
    const listed = await the.as("tenant-builder").get(path, { headers });
    const { items } = listed.json as { items: { id: string; slug: string }[] };
    const { id = "" } = items.find(({ slug }) => slug === "case") ?? {};
    const text = { type: "string" };
    const properties = { officer: { ...text, ...officer }, note: text };
    const answer = await the.as("tenant-admin").patch(`${path}/${id}`, { properties }, { headers });
    expect(answer.status).toBe(200);
  }

  test("ends with a reset when an index of its filter is removed", async () => {
    const the = await world();
    const where = JSON.stringify({ officer: "kim" });
    const opened = reading(await stream(the, { types: "case", where }));
    await changeOfficer(the, {});
    expect(await opened.next()).toMatchObject({
      type: "svc.feed.reset",
      data: { reason: "type-changed" },
    });
    expect(await opened.any()).toBeUndefined();
  });

  test("is without a property that is hidden while it is open, also in its filter", async () => {
    const the = await world();
    const where = JSON.stringify({ officer: "kim" });
    const [filtered, all] = [
      reading(await stream(the, { types: "case", where })),
      reading(await stream(the, { types: "case", full: "true" })),
    ];
    onTestFinished(() => all.cancel());
    await changeOfficer(the, { indexed: true, readRoles: ["tenant-builder"] });
    await add(the, { officer: "kim", note: "seen" });
    expect(await filtered.next()).toMatchObject({ type: "svc.feed.reset" });
    expect(await filtered.any()).toBeUndefined();
    const event = await all.next();
    expect(event).toMatchObject({ data: { record: { data: { note: "seen" } } } });
    expect(JSON.stringify(event)).not.toMatch(/officer|kim/);
  });

  test("opens with a negotiated token for its workspace and filter only, for five minutes", async () => {
    const the = await world();
    const headers = { "x-tenant-id": the.workspaces.tenant };
    const answer = await the
      .as("tenant-viewer")
      .post("/v4/realtime/negotiate", { types: "case" }, { headers });
    expect(answer.status).toBe(200);
    const { url } = answer.json as { url: string };
    const open = (address: string, extra = {}) =>
      the.answer(new Request(address, { headers: extra }));
    const opened = reading(await open(url));
    onTestFinished(() => opened.cancel());
    const { id } = await add(the, { officer: "kim" });
    expect((await opened.next()).subject).toBe(`case/${id}`);
    expect((await open(url.replace("types=case", "kinds=member"))).status).toBe(403);
    expect((await open(url.replace(the.workspaces.tenant, the.workspaces.child))).status).toBe(404);
    expect((await open(url, { origin: "https://elsewhere.test" })).status).toBe(403);
    the.advance(6 * 60 * 1000);
    expect((await open(url)).status).toBe(401);
    expect(JSON.stringify(the.log)).not.toContain("sealed1");
  });

  async function addMany(the: TestPlatform, officers: readonly string[]): Promise<string[]> {
    const path = `/v4/data/resources/${the.workspaces.tenant}/case/batch/create`;
    const items = officers.map((officer) => ({ officer }));
    const answer = await the.as("tenant-builder").post(path, { items, atomic: true });
    expect(answer).toMatchObject({ status: 200 });
    const { json } = answer;
    const { results } = json as { results: { id: string }[] };
    return results.map(({ id }) => id);
  }

  async function cursorOf(the: TestPlatform): Promise<string> {
    const path = `/v4/data/resources/${the.workspaces.tenant}/case`;
    const { json } = await the.as("tenant-viewer").get(path);
    return (json as { feedCursor: string }).feedCursor;
  }

  async function removeMember(the: TestPlatform, user: TestUser): Promise<void> {
    const members = `/v4/platform/tenants/${the.workspaces.tenant}/members`;
    const { json } = await the.as("tenant-admin").get(members);
    const { items } = json as { items: { memberId: string; oid: string }[] };
    const { memberId } = items.find(({ oid }) => oid === the.users[user].oid) ?? {};
    expect((await the.as("tenant-admin").delete(`${members}/${memberId}`)).status).toBe(200);
  }

  async function* left(opened: OpenStream): AsyncGenerator<string, void, void> {
    for (;;) {
      const event = await opened.any();
      if (event === undefined) return;
      if (event.type !== "svc.feed.bookmark") yield (event.subject ?? "").replace("case/", "");
    }
  }

  test("sends a slow reader nothing more once the caller's role has ended", async () => {
    const the = await world();
    const cursor = await cursorOf(the);
    await addMany(
      the,
      Array.from({ length: 200 }, (_, index) => `officer ${index}`),
    );
    const slow = reading(await stream(the, { types: "case", cursor }, "tenant-staff"));
    await slow.next();
    const other = reading(await stream(the, { types: "case" }, "tenant-staff"));
    await removeMember(the, "tenant-staff");
    // The check that ends this stream has ended the slow one before.
    for await (const _ of left(other));
    const rest = await Array.fromAsync(left(slow));
    expect(rest.length).toBeLessThan(20);
  });

  test("ends for a reader that is too slow without a gap before its last cursor", async () => {
    const the = await world();
    const cursor = await cursorOf(the);
    const ids = await addMany(
      the,
      Array.from({ length: 20 }, () => "kim"),
    );
    const slow = reading(await stream(the, { types: "case", cursor }));
    const seen = [await slow.next(), await slow.next()];
    // The stream has more than one page to read before it joins the others.
    for (let each = 0; each < 80; each += 1) ids.push((await add(the, { officer: "lee" })).id);
    while (seen.length < 22) seen.push(await slow.next());
    const quick = reading(await stream(the, { types: "case" }));
    onTestFinished(() => quick.cancel());
    await quick.any();
    for (let each = 0; each < 3; each += 1) {
      const more = await addMany(
        the,
        Array.from({ length: 500 }, () => "ann"),
      );
      ids.push(...more);
      for (const id of more) expect((await quick.next()).subject).toBe(`case/${id}`);
    }
    const rest = await Array.fromAsync(left(slow));
    const all = [...seen.map(({ subject }) => (subject ?? "").replace("case/", "")), ...rest];
    expect(all).toEqual(ids.slice(0, all.length));
  });

  test("has for a defined role only what its permissions read", async () => {
    const the = await world();
    const { tenant } = the.workspaces;
    const permissions = ["realtime.events", "objectTypes.list"];
    const role = { key: "watcher", displayName: "Watcher", permissions };
    const path = `/v4/platform/tenants/${tenant}/role-definitions`;
    const { json } = await the.as("tenant-admin").post(path, role);
    const { id: roleDefinitionId } = json as { id: string };
    const { call } = await newMember(the, tenant, { roleDefinitionId });
    const headers = { "x-tenant-id": tenant };
    const opened = reading(await call.fetch("GET", "/v4/realtime/events?full=true", { headers }));
    onTestFinished(() => opened.cancel());
    await add(the, { officer: "kim" });
    await addType(the, "Letter", {});
    expect((await opened.next()).type).toBe("svc.objecttype.created");
  });

  async function addType(the: TestPlatform, name: string, more: object): Promise<void> {
    const headers = { "x-tenant-id": the.workspaces.tenant };
    const type = { name, slug: name.toLowerCase(), properties: { title: { type: "string" } } };
    const path = "/v4/data/resources/object-types";
    const answer = await the.as("tenant-builder").post(path, { ...type, ...more }, { headers });
    expect(answer.status).toBe(201);
  }

  test("does not name a type, or say that a file exists, which the caller may not read", async () => {
    const the = await world();
    const opened = reading(await stream(the, {}));
    onTestFinished(() => opened.cancel());
    const readRoles = ["tenant-builder"];
    await addType(the, "Merger", { readRoles });
    await addType(the, "Letter", { properties: { scan: { type: "file", readRoles } } });
    expect(await opened.next()).toMatchObject({
      type: "svc.objecttype.created",
      subject: "letter",
    });
    const letters = `/v4/data/resources/${the.workspaces.tenant}/letter`;
    const { json } = await the.as("tenant-builder").post(letters, { data: {} });
    const { id } = json as { id: string };
    const file = `${letters}/${id}/files/scan?filename=letter.txt`;
    const headers = { "content-type": "text/plain" };
    const upload = await the.as("tenant-builder").fetch("POST", file, { body: "text", headers });
    expect(await upload.json()).toMatchObject({ version: 2 });
    await add(the, { officer: "kim" });
    const types = [await opened.next(), await opened.next(), await opened.next()];
    expect(types.map(({ type, version }) => [type, version])).toEqual([
      ["svc.resource.created", 1],
      ["svc.resource.updated", 2],
      ["svc.resource.created", 1],
    ]);
  });
});
