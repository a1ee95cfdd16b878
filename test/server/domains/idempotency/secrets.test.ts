import { expect, test } from "vitest";
import { raw } from "#server/database/statement.ts";
import { openPlatformDatabase } from "#server/schema/platform-database.ts";
import { describePlatform, field } from "#test/support/platform.ts";
import { testWorks } from "#test/support/work.ts";
import { membersPath, newRoot } from "../members/world.ts";

describePlatform("the kept answers of keyed requests", (the) => {
  test("have no secret that was shown once, and a repetition does not show it again", async () => {
    const workspace = await newRoot(the());
    const admin = the().as("system-admin");
    const tenant = `/v4/platform/tenants/${workspace}`;
    const invitation = { email: "once@example.org", role: "tenant-viewer" };
    const app = { key: "portal", displayName: "Portal", redirectUris: ["https://a.example/back"] };
    await admin.post(`${tenant}/apps`, { key: "portal", displayName: "Portal" });
    const requests = [
      [`${membersPath(workspace)}/invite`, invitation, "secret"],
      [`${tenant}/keys`, { name: "Import", role: "tenant-viewer" }, "token"],
      ["/v4/platform/provisioning/idp-apps", app, "clientSecret"],
    ] as const;
    const secrets: string[] = [];
    for (const [index, [path, body, name]] of requests.entries()) {
      const headers = { "idempotency-key": `once-${index}`, "x-tenant-id": workspace };
      const first = await admin.post(path, body, { headers });
      const secret = field(first.json, name);
      expect(secret, first.text).toEqual(expect.any(String));
      secrets.push(String(secret));
      const again = await admin.post(path, body, { headers });
      expect(again.headers.get("idempotency-replayed"), path).not.toBeNull();
      expect(again.text).not.toContain(String(secret));
    }
    const database = await openPlatformDatabase({ url: the().databaseUrl, isExclusive: false });
    const { read } = testWorks(database).work;
    const rows = JSON.stringify([
      await read.all(raw("select * from idempotency_keys")),
      await read.all(raw("select * from audit_entries")),
    ]);
    await database.close();
    expect(rows).toContain("once-0");
    for (const secret of secrets) expect(rows).not.toContain(secret);
  });
});
