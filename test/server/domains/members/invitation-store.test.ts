import { expect, test } from "vitest";
import { SQL } from "bun";
import { Database } from "bun:sqlite";
import { describePlatform, field, type TestPlatform } from "#test/support/platform.ts";
import { invite, membersPath, newRoot, text } from "./world.ts";

describePlatform("invitations", (the) => {
  test("are listed page by page, the newest first, without secrets", async () => {
    const root = await newRoot(the());
    const secrets = [];
    for (const name of ["a", "b", "c"]) {
      secrets.push(await invite(the(), root, { email: `${name}@example.org` }));
    }
    const admin = the().as("system-admin");
    const list = `/v4/platform/tenants/${root}/invitations?limit=2&count=true`;
    const first = await admin.get(list);
    expect(first.json).toMatchObject({
      items: [{ email: "c@example.org" }, { email: "b@example.org" }],
      hasNextPage: true,
      total: 3,
    });
    const cursor = encodeURIComponent(text(first, "nextCursor"));
    const second = await admin.get(`${list}&cursor=${cursor}`);
    expect(second.json).toMatchObject({ items: [{ email: "a@example.org" }], hasNextPage: false });
    for (const secret of secrets) expect(first.text + second.text).not.toContain(secret);
  });

  test("have no secret in a repeated answer, nor anywhere in the database", async () => {
    const root = await newRoot(the());
    const admin = the().as("system-admin");
    const headers = { "idempotency-key": crypto.randomUUID() };
    const body = { email: "keyed@example.org" };
    const first = await admin.post(`${membersPath(root)}/invite`, body, { headers });
    const again = await admin.post(`${membersPath(root)}/invite`, body, { headers });
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    const secret = text(first, "secret");
    expect(again.text).not.toContain(secret);
    expect(again.json).toMatchObject({
      invitation: field(first.json, "invitation"),
      note: expect.stringContaining("invite again"),
    });
    expect(await everything(the())).toContain("keyed@example.org");
    expect(await everything(the())).not.toContain(secret);
  });
});

/** Every row of the tables that an invitation touches, as text. */
async function everything(the: TestPlatform): Promise<string> {
  const tables = ["invitations", "idempotency_keys", "members", "users", "secrets"];
  if (the.engine === "sqlite") {
    using database = new Database(the.databaseUrl.replace(/^sqlite:/, ""), { readonly: true });
    return JSON.stringify(tables.map((table) => database.query(`select * from ${table}`).all()));
  }
  const sql = new SQL(the.databaseUrl);
  try {
    const rows = [];
    for (const table of tables) rows.push(await sql.unsafe(`select * from ${table}`));
    return JSON.stringify(rows);
  } finally {
    await sql.close();
  }
}
