import { SQL } from "bun";
import { afterEach, expect, test, vi } from "vitest";
import { PostgresqlPool } from "#server/database/postgresql/pool.ts";
import { describeNeeding } from "#test/support/needs.ts";
import { field, openTestPlatform, type Answered, type Caller } from "#test/support/platform.ts";
import { missingPostgres } from "#test/support/postgres.ts";

/** The conditions that keep a statement to a workspace; a type has its number in one only. */
const workspaceCondition = /(?:\w+\.)?workspace_id\s*=\s*(\$\d+)/g;
const typeCondition = /(?:\w+\.)?type_number\s*=\s*(\$\d+)/g;

/** Sends each further statement as if its author had forgotten the workspace. */
function dropConditions(): { readonly count: () => number } {
  let count = 0;
  const { reserve } = PostgresqlPool.prototype;
  vi.spyOn(PostgresqlPool.prototype, "reserve").mockImplementation(function (
    this: PostgresqlPool,
    scope: Parameters<typeof reserve>[0],
    work: Parameters<typeof reserve>[1],
  ) {
    return reserve.call(this, scope, (session) =>
      work({
        execute: (text, ...rest) => {
          const open = text
            .replaceAll(workspaceCondition, "($1::text is not null)")
            .replaceAll(typeCondition, "($1::bigint is not null)");
          if (open !== text) count += 1;
          return session.execute(open, ...rest);
        },
      }),
    );
  });
  return { count: () => count };
}

afterEach(() => {
  vi.restoreAllMocks();
});

function good(answered: Answered): Answered {
  expect(answered).toMatchObject({ status: expect.toSatisfy((status: number) => status < 300) });
  return answered;
}

/** One thing of each kind with this word in a workspace; the record's id. */
async function furnish(call: Caller, workspace: string, word: string): Promise<string> {
  const headers = { "x-tenant-id": workspace };
  const title = { type: "string", searchable: true, indexed: true };
  const type = { name: "Note", slug: "note", description: word, properties: { title } };
  good(await call.post("/v4/data/resources/object-types", type, { headers }));
  const made = good(await call.post(`/v4/data/resources/${workspace}/note`, { title: word }));
  const classifier = { displayName: word, labels: [{ key: "letter" }, { key: "plan" }] };
  const path = `/v4/data/documents/classifiers/${word}`;
  good(await call.put(path, classifier, { headers }));
  const invitation = { email: `${word}@example.org`, role: "tenant-viewer" };
  good(await call.post(`/v4/platform/tenants/${workspace}/members/invite`, invitation));
  const tenant = `/v4/platform/tenants/${workspace}`;
  const rule = { value: word, role: "tenant-viewer", issuer: "https://login.example.org" };
  good(await call.post(`${tenant}/group-rules`, rule));
  const app = { key: word, displayName: word, redirectUris: ["https://app.example.org/back"] };
  good(await call.post("/v4/platform/provisioning/idp-apps", app, { headers }));
  const role = { key: word, displayName: word, permissions: ["resources.list"] };
  good(await call.post(`${tenant}/role-definitions`, role));
  return String(field(made.json, "id"));
}

/** The answers to a member, by the routes of each kind in its workspace and by a foreign id. */
async function readAll(
  call: Caller,
  workspace: string,
  foreignId: string,
): Promise<Record<string, string>> {
  const headers = { "x-tenant-id": workspace };
  const records = `/v4/data/resources/${workspace}`;
  const tenant = `/v4/platform/tenants/${workspace}`;
  const where = encodeURIComponent('{"title":{"$startsWith":"zq"}}');
  const groups = { groupBy: ["title"], metrics: { n: { op: "count" } } };
  const answers = {
    "a list": good(await call.get(`${records}/note?limit=50`)),
    "a filtered list": good(await call.get(`${records}/note?where=${where}`)),
    "a foreign id": await call.get(`${records}/note/${foreignId}`),
    search: good(await call.post(`${records}/search`, { query: "zq*" })),
    groups: good(await call.post(`${records}/note/aggregate`, groups)),
    schema: good(await call.get(`/v4/data/resources/schema/${workspace}`)),
    classifiers: good(await call.get("/v4/data/documents/classifiers", { headers })),
    members: good(await call.get(`${tenant}/members`)),
    invitations: good(await call.get(`${tenant}/invitations`)),
    "sign-in of apps": good(await call.get("/v4/platform/provisioning/idp-apps", { headers })),
    "group rules": good(await call.get(`${tenant}/group-rules`)),
    roles: good(await call.get(`${tenant}/role-definitions`)),
    "audit log": good(await call.get(`${tenant}/audit`)),
    "filtered audit log": good(await call.get(`${tenant}/audit?outcome=done`)),
  };
  return Object.fromEntries(Object.entries(answers).map(([name, { text }]) => [name, text]));
}

describeNeeding("requests whose statements name no workspace", missingPostgres, () => {
  test("read nothing of another one, which they do without row-level security", async () => {
    const the = await openTestPlatform("postgresql", {});
    const sql = new SQL(the.databaseUrl, { max: 1 });
    try {
      const { tenant, other } = the.workspaces;
      const own = the.as("tenant-admin");
      await furnish(own, tenant, "zqours");
      const foreignId = await furnish(the.as("outsider"), other, "zqtheirs");
      const look = async (): Promise<{ leaking: string[]; tight: string[] }> => {
        const answers = Object.entries(await readAll(own, tenant, foreignId));
        expect(answers[0]?.[1]).toContain("zqours");
        const isLeak = ([, text]: [string, string]): boolean => /zqtheirs|outsider@/.test(text);
        const [leaking, tight] = [answers.filter(isLeak), answers.filter((one) => !isLeak(one))];
        return { leaking: leaking.map(([name]) => name), tight: tight.map(([name]) => name) };
      };
      expect(await look()).toMatchObject({ leaking: [] });
      const dropped = dropConditions();
      expect(await look()).toMatchObject({ leaking: [] });
      expect(dropped.count()).toBeGreaterThan(10);

      const tables = await sql<{ name: string }[]>`
        select tablename as name from pg_policies where schemaname = current_schema()`;
      for (const { name } of tables) {
        await sql.unsafe(`alter table "${name}" disable row level security`);
      }
      // Records to search are read through a view, which has the condition too.
      expect(await look()).toMatchObject({ tight: ["search"] });
    } finally {
      await sql.close();
      await the.close();
    }
  });
});
