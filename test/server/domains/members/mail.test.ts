import PostalMime from "postal-mime";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createPlatform, type LogEvent, type Platform } from "#server/platform.ts";
import { describeEachDatabase, type TestDatabase } from "#test/support/postgres.ts";
import {
  caller,
  createTestPlatform,
  field,
  testBaseUrl,
  type TestPlatform,
  type TestUser,
} from "#test/support/platform.ts";
import { createPlatformTables } from "#test/support/prepared.ts";
import { startSmtpServer, type SmtpTestServer } from "#test/support/smtp-server.ts";
import { membersPath, text } from "./world.ts";

describeEachDatabase("invitations by mail", ({ engine }) => {
  const log: LogEvent[] = [];
  let server: SmtpTestServer;
  let database: TestDatabase;
  let the: TestPlatform;
  let platform: Platform;
  beforeAll(async () => {
    server = await startSmtpServer();
    database = await createPlatformTables(engine);
    the = await createTestPlatform({ database });
    // Its users were made without mail; the next start has a mail server.
    await the.close();
    const note = (event: LogEvent): void => void log.push(event);
    platform = await createPlatform({
      dataDirectory: the.dataDirectory,
      databaseUrl: database.url,
      baseUrl: testBaseUrl,
      logger: { info: () => {}, warn: note, error: note },
      extractionCommand: ["unused"],
      smtpUrl: `smtp://127.0.0.1:${server.port}?from=Svc%20Platform%20<svc@example.org>`,
    });
  });
  afterAll(async () => {
    await platform.close();
    await database.drop();
    await server[Symbol.asyncDispose]();
  });

  const as = (user: TestUser) =>
    caller((request) => platform.fetch(request), the.users[user].token);
  const invite = (body: Readonly<Record<string, unknown>>) =>
    as("system-admin").post(`${membersPath(the.workspaces.tenant)}/invite`, body);

  test("carry the secret to the address only, and it accepts", async () => {
    const answered = await invite({
      email: "mailed@example.org",
      role: "tenant-staff",
      firstName: "Ada",
      message: "Welcome to <us>.\r\nBcc: everyone@example.org",
    });
    expect(answered.json).toMatchObject({ invitation: { delivery: "mail" } });
    expect(field(answered.json, "secret")).toBeUndefined();
    expect(field(answered.json, "link")).toBeUndefined();
    const mail = server.mails.find(({ to }) => to.includes("mailed@example.org"));
    expect(mail?.from).toBe("svc@example.org");
    expect(mail?.to).toEqual(["mailed@example.org"]);
    const read = await PostalMime.parse(mail?.data ?? "");
    expect(read.subject).toBe("Invitation to tenant");
    expect(read.from).toEqual({ name: "Svc Platform", address: "svc@example.org" });
    expect(read.headers.map(({ key }) => key)).not.toContain("bcc");
    const { text: plain = "", html = "" } = read;
    const value = /secret=([\w-]{43})/.exec(plain)?.[1] ?? "no secret";
    expect(plain).toMatch(/^Hello Ada,\n\n/);
    for (const shown of [plain, html]) {
      expect(shown).toContain("with the role tenant-staff");
      expect(shown).toContain(`${testBaseUrl}/auth/invitation?secret=${value}`);
    }
    expect(html).toContain("Welcome to &lt;us&gt;.");
    expect(answered.text).not.toContain(value);
    const accept = "/v4/identity/invitations/accept";
    const accepted = await as("outsider").post(accept, { secret: value });
    expect(accepted.json).toMatchObject({ id: the.workspaces.tenant, role: "tenant-staff" });
  });

  test("stay pending and say so when the server refuses them", async () => {
    server.refuse();
    const answered = await invite({ email: "refused@example.org" });
    expect(answered.status).toBe(201);
    expect(answered.json).toMatchObject({
      invitation: { delivery: "mail-failed" },
      note: expect.stringContaining("could not be sent"),
    });
    expect(field(answered.json, "secret")).toBeUndefined();
    const path = `/v4/platform/tenants/${the.workspaces.tenant}/invitations`;
    expect((await as("system-admin").get(path)).json).toMatchObject({
      items: [{ email: "refused@example.org", delivery: "mail-failed" }],
    });
    expect(log).toContainEqual(
      expect.objectContaining({ event: "invitation-mail-failed", error: expect.any(String) }),
    );
    expect(text(answered, "note")).toContain("invite again");
  });
});
