import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { diagnose } from "#server/platform/maintenance/offline-doctor.ts";
import { runCommand } from "#test/commands/world.ts";
import { archiveOf, digestsOf, importBy } from "#test/server/domains/archives/world.ts";
import { codeOf } from "#test/server/domains/factors/app-codes.ts";
import { authorizeAddress, FormBrowser } from "#test/server/domains/sign-in/form-browser.ts";
import { StrictClient } from "#test/server/domains/sign-in/strict-client.ts";
import { eventually } from "#test/support/eventually.ts";
import { caller, field, testBaseUrl, type Caller } from "#test/support/platform.ts";
import { describeEachDatabase, type TestDatabase } from "#test/support/postgres.ts";
import {
  commits,
  openEmpty,
  openStored,
  unpack,
  type OpenedData,
  type StoredData,
} from "./stored-data.ts";

const documents = "/v4/data/documents";

/**
 * A recorded answer, in which a base role may also have the permissions of later routes. A cursor
 * of the feed is that of now, and a copy of data begins an epoch in which marks know no changes.
 */
function expected(recorded: unknown): object {
  return JSON.parse(JSON.stringify(recorded), (name, value: unknown) => {
    if (name === "feedCursor") return expect.any(String);
    if (name === "more") return expect.any(Boolean);
    return name === "permissions" && Array.isArray(value) ? expect.arrayContaining(value) : value;
  }) as object;
}

describe.each(commits)("data that commit %s stored", (commit) => {
  describeEachDatabase("opens", ({ create }) => {
    let database: TestDatabase;
    let stored: StoredData;
    let opened: OpenedData;

    beforeAll(async () => {
      database = await create();
      stored = await unpack(commit, database);
      // The clients check times too: tokens of that day would have expired for them.
      const now = Date.parse(stored.at);
      vi.useFakeTimers({ toFake: ["Date"], now, shouldAdvanceTime: true });
    });
    afterAll(async () => {
      vi.useRealTimers();
      await opened.platform.close();
      await database.drop();
    });

    const fetch = (request: Request): Promise<Response> => opened.platform.fetch(request);
    const withToken = (token: string): Caller => caller(fetch, token);
    const browser = (): FormBrowser => new FormBrowser(testBaseUrl, fetch);
    const within = (): { headers: Record<string, string> } => ({
      headers: { "x-tenant-id": stored.issued.workspaces.main },
    });

    const expectHealth = async (): Promise<void> => {
      const { findings } = await diagnose({ ...stored, fix: false, withDigests: true });
      // The server of the tests is fast instead of durable.
      expect(findings.filter(({ code }) => code !== "durability-off")).toEqual([]);
    };
    /** Each log has its recorded end, and all entries follow from the first one. */
    const expectAudit = async (): Promise<void> => {
      for (const [path, { sequence, digest }] of Object.entries(stored.heads)) {
        const [, id] = /tenants\/(.*)/.exec(path) ?? [];
        const log = id === undefined ? ["--platform"] : ["--workspace", id];
        const words = ["audit", "verify", ...log, "--head", `${sequence}:${digest}`];
        const { token } = opened;
        const verified = await runCommand([...words, "--format", "json"], { fetch, token });
        expect(verified).toMatchObject({ exitCode: 0, json: { ok: true, fault: null } });
        expect(field(verified.json, "entries")).toBeGreaterThanOrEqual(sequence);
      }
    };

    test("without a finding of the doctor", async () => {
      await expectHealth();
      opened = await openStored(stored);
    });

    test("with the recorded answers of all routes", async () => {
      for (const { path, tenant, query, json, sha256 } of stored.reads) {
        const headers = tenant === undefined ? {} : { "x-tenant-id": tenant };
        const method = query === undefined ? "GET" : "POST";
        const response = await opened.admin.fetch(method, path, { headers, body: query });
        const bytes = await response.bytes();
        expect(response.status, `${method} ${path}`).toBe(200);
        if (sha256 === undefined) {
          const answer: unknown = JSON.parse(new TextDecoder().decode(bytes));
          expect(answer, `${method} ${path}`).toMatchObject(expected(json));
        } else expect(Bun.SHA256.hash(bytes, "hex"), path).toBe(sha256);
      }
    });

    test("with its audit logs", expectAudit);

    test("and a platform on SQLite that imports its archive has equal digests", async () => {
      const taken = await archiveOf(opened.admin, stored.issued.workspaces.main);
      const counts = Object.fromEntries(
        taken.manifest.parts.map(({ name, count }) => [name, count]),
      );
      expect(taken.manifest).toMatchObject({ missing: [] });
      expect(taken.manifest.files.count).toBeGreaterThan(0);
      for (const name of [`records/${stored.issued.records.type}`, "document-passages", "audit"]) {
        expect(counts[name], name).toBeGreaterThan(0);
      }
      await using target = await openEmpty();
      const workspace = { slug: "moved", displayName: "Moved", homeRegion: "eu" };
      const made = await target.admin.post("/v4/platform/tenants", workspace);
      const id = String(field(made.json, "id"));
      const imported = await importBy(target.admin, id, taken.bytes);
      expect(imported).toMatchObject({ status: "succeeded" });
      const again = await archiveOf(target.admin, id);
      expect(digestsOf(again.manifest)).toEqual(digestsOf(taken.manifest));
    });

    test("and finds records and passages", async () => {
      const { workspaces, searches, creation } = stored.issued;
      for (const { query, finds } of searches) {
        const path = `${documents}/search?query=${encodeURIComponent(query)}`;
        expect((await opened.admin.get(path, within())).text).toContain(finds);
      }
      const path = `/v4/data/resources/${workspaces.main}/search`;
      const { json } = await opened.admin.post(path, { query: "scaffolding", mode: "fulltext" });
      expect(json).toMatchObject({ results: [{ id: creation.id }] });
    });

    test("and accepts keys, secrets, passwords, factors, tokens and invitations", async () => {
      const { key, app, people, workspaces } = stored.issued;
      const list = `/v4/data/resources/${workspaces.main}/${stored.issued.records.type}`;
      expect((await withToken(key.token).get(list)).status).toBe(200);

      const client = await StrictClient.discover(testBaseUrl, fetch);
      const { access_token: token } = await client.refresh(people.admin.refreshToken);
      expect(await client.isAccepted(token)).toBe(true);

      const { email, password, factorSecret, recoveryCode } = people.guarded;
      for (const code of [codeOf(factorSecret, opened.now(), 1), recoveryCode]) {
        const page = browser();
        await page.visit(authorizeAddress());
        await page.press("sign-in", { email, password });
        expect((await page.press("show-code", { code })).status).toBe(303);
      }
      const guarded = await opened.platform.mintToken({ email, ttlMs: 60_000 });
      const accept = "/v4/identity/invitations/accept";
      const joined = await withToken(guarded.token).post(accept, { secret: people.invitation });
      expect(joined.status, joined.text).toBe(200);

      const apps = "/v4/platform/provisioning/idp-apps";
      const confirm = { clientId: app.clientId, clientSecret: app.secrets.at(-1) };
      const confirmed = await opened.admin.post(apps, confirm, within());
      expect(confirmed.json).toMatchObject({ rotationPending: false });
    });

    test("and replays the answer of an Idempotency-Key", async () => {
      const { path, key, body, id } = stored.issued.creation;
      const sent = { headers: { "idempotency-key": key } };
      const replayed = await opened.admin.post(path, body, sent);
      expect(replayed.headers.get("idempotency-replayed")).toBe("true");
      expect(field(replayed.json, "id")).toBe(id);
    });

    test("and writes go on", async () => {
      const { workspaces, records, creation } = stored.issued;
      const record = `/v4/data/resources/${workspaces.main}/${records.type}/${records.changed}`;
      const before = await opened.admin.get(record);
      const { data, version } = before.json as { data: object; version: number };
      const body = { data: { ...data, notes: "Zinc flashing replaced" }, version };
      expect((await opened.admin.put(record, body)).status).toBe(200);
      const history = await opened.admin.get(`${record}/history?limit=500`);
      expect(history.json).toMatchObject({ items: { length: version + 1 } });
      const search = `/v4/data/resources/${workspaces.main}/search`;
      const found = await opened.admin.post(search, { query: "flashing", mode: "fulltext" });
      expect(found.json).toMatchObject({ results: [{ id: records.changed }] });
      const same = await opened.admin.post(creation.path, creation.body);
      expect(same.status, "a unique value").toBe(409);

      const deleted = `/v4/platform/tenants/${workspaces.deleted}`;
      expect((await opened.admin.post(`${deleted}/restore`)).status).toBe(200);
      const papers = await opened.admin.get(`/v4/data/resources/${workspaces.deleted}/paper`);
      expect(papers.json).toMatchObject({ items: [{ data: { title: "A paper" } }] });
    });

    test("and reads a new document, and answers from an old one", async () => {
      const { main } = stored.issued.workspaces;
      const form = new FormData();
      form.set("tenant_id", main);
      form.set("storage_target", "resourceapi");
      form.set("processing_mode", "full");
      form.set("vertical_key", "planning-portal");
      form.set("workflow_key", "planning-assistant");
      form.set("files", new File(["The ferry leaves at noon from the slipway."], "ferry.txt"));
      const sent = await opened.admin.call("POST", `${documents}/upload`, { rawBody: form });
      expect(sent.status, sent.text).toBe(202);
      await eventually(async () => {
        const path = `${documents}/search?query=ferry%20slipway`;
        expect((await opened.admin.get(path, within())).text).toContain("leaves at noon");
      });
      const message = "How many parking spaces does the Quay Street plan provide?";
      const chat = `/v4/ai/chat/${main}/planning-assistant/chat`;
      expect((await opened.admin.post(chat, { message })).text).toContain("24 parking spaces");
    });

    test("and has no finding and no failure after that", async () => {
      await expectAudit();
      await expectHealth();
      expect(opened.log).toEqual([]);
    });
  });
});
