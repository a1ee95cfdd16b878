import PostalMime from "postal-mime";
import { afterAll, beforeAll, expect, test } from "vitest";
import { statement } from "#server/database/statement.ts";
import { readsOf } from "#server/domains/alerts/reads.ts";
import { allEvents } from "#test/server/work/stored-events.ts";
import { describeEachDatabase } from "#test/support/postgres.ts";
import {
  field,
  openTestPlatform,
  type TestPlatform,
  type TestUser,
} from "#test/support/platform.ts";
import { startSmtpServer, type SmtpTestServer } from "#test/support/smtp-server.ts";

const minuteMs = 60_000;
const rulesPath = "/v4/realtime/alert-rules";
const channelsPath = "/v4/realtime/alert-channels";

describeEachDatabase("mails with alerts", ({ engine }) => {
  let server: SmtpTestServer;
  let the: TestPlatform;
  let taken = 0;
  let made = 0;
  beforeAll(async () => {
    server = await startSmtpServer();
    const smtpUrl = `smtp://127.0.0.1:${server.port}?from=Svc <svc@example.org>`;
    the = await openTestPlatform(engine, { options: { smtpUrl } });
  });
  afterAll(async () => {
    await the.close();
    await server[Symbol.asyncDispose]();
  });

  const inTenant = () => ({ headers: { "x-tenant-id": the.workspaces.tenant } });
  const records = () => `/v4/data/resources/${the.workspaces.tenant}`;

  /** A type whose records raise an alert for the recipient of a new rule when they are made. */
  async function watched(recipient: object, as: TestUser = "tenant-builder") {
    made += 1;
    const slug = `mailed-${made}`;
    const properties = { note: { type: "string" } };
    const typed = await the
      .as("tenant-admin")
      .post(
        "/v4/data/resources/object-types",
        { name: `Mailed${made}`, slug, properties },
        inTenant(),
      );
    expect(typed).toMatchObject({ status: 201 });
    const body = {
      name: `Rule ${made}`,
      kind: "event",
      types: [slug],
      operations: ["created"],
      ...recipient,
    };
    const rule = await the.as(as).post(rulesPath, body, inTenant());
    expect(rule).toMatchObject({ status: 201 });
    const ruleId = String(field(rule.json, "id"));
    return {
      ruleId,
      async raise() {
        const answer = await the.as("tenant-admin").post(`${records()}/${slug}`, { note: "a" });
        expect(answer).toMatchObject({ status: 201 });
        await the.platform.services.alerts.scheduler.look();
        return { slug, id: String(field(answer.json, "id")) };
      },
      end: () => the.as("tenant-builder").delete(`${rulesPath}/${ruleId}`, inTenant()),
    };
  }

  /** The mails that are sent this time later. */
  async function mailsAfter(ms: number) {
    const { mails } = the.platform.services.alerts;
    await mails?.look();
    the.advance(ms);
    await mails?.look();
    const fresh = server.mails.slice(taken);
    taken = server.mails.length;
    return Promise.all(
      fresh.map(async ({ to, data }) => ({ ...(await PostalMime.parse(data)), to: to[0] })),
    );
  }

  const choose = (user: TestUser, body: object) =>
    the.as(user).patch(channelsPath, body, inTenant());
  const email = (user: TestUser) => the.users[user].email;

  test("gather the alerts of a person, at most once an hour", async () => {
    const { raise, end } = await watched({}, "tenant-viewer");
    const [first, second] = [await raise(), await raise()];
    const [mail, ...more] = await mailsAfter(2 * minuteMs);
    expect(more).toEqual([]);
    expect(mail).toMatchObject({ to: email("tenant-viewer"), subject: "2 alerts in tenant" });
    expect(mail?.text).toContain(first.id);
    expect(mail?.text).toContain(second.id);
    const third = await raise();
    expect(await mailsAfter(2 * minuteMs)).toEqual([]);
    const fourth = await raise();
    const [later, ...others] = await mailsAfter(58 * minuteMs);
    expect(others).toEqual([]);
    expect(later?.text).toContain(third.id);
    expect(later?.text).toContain(fourth.id);
    expect(later?.text).not.toContain(first.id);
    expect(await mailsAfter(62 * minuteMs)).toEqual([]);
    await end();
  });

  test("go to the members with a role, unless the role or the person has chosen none", async () => {
    const { raise, ruleId, end } = await watched({ role: "tenant-builder" });
    const to = async () => {
      await raise();
      return (await mailsAfter(62 * minuteMs)).map((mail) => String(mail.to)).toSorted();
    };
    expect(await to()).toEqual([email("tenant-admin"), email("tenant-builder")]);
    expect(await choose("tenant-admin", { mail: false })).toMatchObject({ status: 200 });
    expect(await to()).toEqual([email("tenant-builder")]);
    expect((await choose("tenant-admin", { mail: true })).json).toMatchObject({ mail: true });
    expect(await choose("tenant-builder", { mutedRules: [ruleId] })).toMatchObject({ status: 200 });
    expect(await to()).toEqual([email("tenant-admin")]);
    const mutedUntil = new Date(the.now().getTime() + 30 * minuteMs).toISOString();
    await choose("tenant-builder", { mutedRules: [], mutedUntil });
    expect(await to()).toEqual([email("tenant-admin")]);
    expect(await to()).toEqual([email("tenant-admin"), email("tenant-builder")]);
    const role = { role: "tenant-builder", mail: false };
    expect(await choose("tenant-staff", role)).toMatchObject({ status: 403 });
    expect((await choose("tenant-builder", role)).json).toMatchObject(role);
    expect(await to()).toEqual([]);
    await choose("tenant-builder", { ...role, mail: true });
    await end();
  });

  test("that wait lose what was acknowledged, muted, erased or may no longer be read", async () => {
    const { raise, end } = await watched({}, "tenant-staff");
    const erased = await raise();
    const done = await raise();
    await mailsAfter(0);
    const path = `${records()}/${erased.slug}/${erased.id}?permanent=true`;
    expect((await the.as("tenant-admin").delete(path, inTenant())).status).toBeLessThan(300);
    const { json } = await the.as("tenant-staff").get("/v4/realtime/alerts?limit=500", inTenant());
    const items = field(json, "items");
    for (const alert of Array.isArray(items) ? items : []) {
      const at = `/v4/realtime/alerts/${String(field(alert, "id"))}/acknowledge`;
      await the.as("tenant-staff").post(at, undefined, inTenant());
    }
    expect(done.id).not.toBe(erased.id);
    expect(await mailsAfter(62 * minuteMs)).toEqual([]);
    await raise();
    await mailsAfter(0);
    const until = new Date(the.now().getTime() + minuteMs).toISOString();
    await choose("tenant-staff", { mutedUntil: until });
    expect(await mailsAfter(62 * minuteMs)).toEqual([]);
    await end();
  });

  test("name an alert that may be read before hundreds that may not", async () => {
    const { raise, ruleId, end } = await watched({}, "tenant-viewer");
    const { id } = await raise();
    const hidden = readsOf({ role: "tenant-admin" });
    await the.platform.platformWork("alerts of a test").write((tx) =>
      tx.run(statement`insert into alerts (workspace_id, id, rule_id, rule_name, cause, kind,
          to_user, reads, about, created_at, mail)
        with recursive numbers (number) as
          (select 1 union all select number + 1 from numbers where number < 600)
        select workspace_id, id || '-' || number, rule_id, rule_name, cause || number, kind,
          to_user, ${hidden}, about, created_at, mail
        from alerts cross join numbers where rule_id = ${ruleId}`),
    );
    const [mail, ...more] = await mailsAfter(62 * minuteMs);
    expect(more).toEqual([]);
    expect(mail).toMatchObject({ subject: "1 alert in tenant" });
    expect(mail?.text).toContain(id);
    await end();
  });

  test("are ended without a sign-in: by one click of a mail program, or by a button", async () => {
    const { raise, end } = await watched({}, "tenant-viewer");
    await raise();
    const [mail] = await mailsAfter(62 * minuteMs);
    const header = (key: string) => mail?.headers.find((each) => each.key === key)?.value ?? "";
    expect(header("list-unsubscribe-post")).toBe("List-Unsubscribe=One-Click");
    const link = /^<(http:\S+)>$/.exec(header("list-unsubscribe"))?.[1] ?? "";
    const shown = await the.platform.fetch(new Request(link));
    expect(await shown.text()).toContain("<button>");
    const own = async () => (await the.as("tenant-viewer").get(channelsPath, inTenant())).json;
    expect(await own()).toMatchObject({ mail: true, address: email("tenant-viewer") });
    const click = {
      method: "POST",
      body: new URLSearchParams({ "List-Unsubscribe": "One-Click" }),
    };
    const forged = await the.platform.fetch(new Request(`${link}x`, click));
    expect(forged.status).toBe(404);
    expect(await own()).toMatchObject({ mail: true });
    expect((await the.platform.fetch(new Request(link, click))).status).toBe(200);
    expect(await own()).toMatchObject({ mail: false });
    await raise();
    expect(await mailsAfter(62 * minuteMs)).toEqual([]);
    const choices = async () => {
      const { read } = the.platform.platformWork("choices of a test");
      const events = (await allEvents({ read })).filter((event) => event.type === "alert-channel");
      const rows = await read.all(statement`select workspace_id, recipient from alert_channels`);
      return { events: events.length, rows: rows.length };
    };
    const before = await choices();
    const { unsubscribeTokens } = the.platform.services.alerts;
    const { oid } = the.users["tenant-viewer"];
    const left = unsubscribeTokens.write({ oid, workspaceId: the.workspaces.other });
    const unknown = unsubscribeTokens.write({ oid: "nobody", workspaceId: undefined });
    for (const token of [left, unknown, new URL(link).searchParams.get("token") ?? ""]) {
      const address = new URL(link);
      address.searchParams.set("token", token);
      expect((await the.platform.fetch(new Request(address.href, click))).status).toBe(200);
    }
    // A link changes nothing again, nor in a workspace where the person is no member.
    expect(await choices()).toEqual(before);
    await choose("tenant-viewer", { mail: true });
    await end();
  });

  test("that the mail server refuses are tried again, with the same id", async () => {
    const { raise, end } = await watched({}, "tenant-viewer");
    await raise();
    server.refuse();
    expect(await mailsAfter(62 * minuteMs)).toEqual([]);
    const failed = the.log.filter(({ event }) => event === "alert-mail-failed");
    expect(failed).toMatchObject([{ error: expect.stringContaining("550") }]);
    server.refuse(false);
    expect(await mailsAfter(minuteMs)).toEqual([]);
    const [mail] = await mailsAfter(5 * minuteMs);
    expect(mail).toMatchObject({ to: email("tenant-viewer"), subject: "1 alert in tenant" });
    expect(mail?.messageId).toMatch(/^<alerts-[0-9a-f]{32}@platform\.test>$/);
    await end();
  });
});
