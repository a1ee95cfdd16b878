import { Database } from "bun:sqlite";
import { SQL } from "bun";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { field, type Answered, type TestPlatform } from "#test/support/platform.ts";
import { eventually } from "#test/support/eventually.ts";
import { file, formOf, uploadPath } from "#test/support/document-forms.ts";

/** A word that the content of one workspace has everywhere, and nothing else has. */
export type Marker = string;

const objectType = {
  name: "Case",
  slug: "case",
  properties: {
    title: { type: "string", searchable: true, indexed: true },
    code: { type: "string", unique: true },
    notes: { type: "text", searchable: true },
    plan: { type: "file" },
  },
};

function good(answered: Answered): Answered {
  const { status, text } = answered;
  expect({ status, text }).toMatchObject({
    status: expect.toSatisfy((given: number) => given < 300),
  });
  return answered;
}

const idOf = ({ json }: Answered): string => String(field(json, "id"));

/** A child of `tenant`, made with a keyed request. */
export async function newChild(the: TestPlatform, marker: Marker): Promise<string> {
  const admin = the.as("tenant-admin");
  const children = `/v4/platform/tenants/${the.workspaces.tenant}/children`;
  const body = { slug: marker, displayName: `Desk ${marker}`, industry: marker };
  const headers = { "idempotency-key": `create-${marker}` };
  const id = idOf(good(await admin.post(children, body, { headers })));
  good(await admin.post(`${children}/${id}/bootstrap-admin`));
  return id;
}

/** Records, histories, files, a document and a conversation, all with the marker. */
export async function fill(the: TestPlatform, workspace: string, marker: Marker): Promise<void> {
  const admin = the.as("tenant-admin");
  const tenant = { headers: { "x-tenant-id": workspace } };
  good(await admin.post("/v4/data/resources/object-types", objectType, tenant));
  const cases = `/v4/data/resources/${workspace}/case`;
  for (let number = 1; number <= 30; number += 1) {
    const title = `${marker} ${number}`;
    const notes = `About ${marker}. `.repeat(number === 1 ? 2_000 : 20);
    const made = good(await admin.post(cases, { title, code: `${title}-c`, notes }));
    const path = `${cases}/${idOf(made)}`;
    const version = field(made.json, "version");
    if (number % 3 === 0) good(await admin.put(path, { data: { title: `x ${title}` }, version }));
    if (number % 5 === 0) good(await admin.delete(path));
    if (number === 1) {
      good(
        await admin.call("POST", `${path}/files/plan?filename=${marker}.txt`, {
          headers: { "content-type": "text/plain" },
          rawBody: `A plan of ${marker}. The shared plan.`,
        }),
      );
      good(
        await admin.call("POST", `${path}/files/plan?filename=${marker}.txt`, {
          headers: { "content-type": "text/plain" },
          rawBody: "The shared plan.",
        }),
      );
    }
  }
  const keys = { vertical_key: "portal", workflow_key: "triage" };
  const types = `/v4/data/resources/${workspace}`;
  good(await admin.post(`${types}/vertical-product-config`, { ...keys, config: lifecycle }));
  good(await admin.post(`${types}/shared-workflow-config`, { workflow_key: "triage" }));
  const body = formOf(
    ["tenant_id", workspace],
    ["storage_target", "resourceapi"],
    ["processing_mode", "full"],
    ["vertical_key", "portal"],
    ["workflow_key", "triage"],
    ["files", file(`${marker}.txt`, `The letter of ${marker}.\n\n`.repeat(400), "text/plain")],
  );
  const sent = good(await admin.post(uploadPath, undefined, { ...tenant, rawBody: body }));
  const job = `/v4/data/documents/jobs/${String(field(sent.json, "jobId"))}`;
  await eventually(async () => {
    const { json } = await admin.get(job, tenant);
    expect(field(json, "status")).toBe("succeeded");
  });
  const question = { message: `Summarise the letter of ${marker}` };
  good(await admin.post(`/v4/ai/chat/${workspace}/triage/chat`, question));
}

const lifecycle = { documentLifecycle: "planning-assist-v1" };

/** Where a text is left: in rows, and in the bytes of the files. */
export async function tracesOf(the: TestPlatform, text: string): Promise<string[]> {
  const rows = await rowsWith(the, text);
  const files = await filesWith(the.dataDirectory, text);
  const own = the.engine === "sqlite" ? await databaseBytesWith(the, text) : [];
  return [...rows, ...files, ...own];
}

async function rowsWith({ engine, databaseUrl }: TestPlatform, text: string): Promise<string[]> {
  if (engine === "sqlite") {
    using database = new Database(databaseUrl.replace("sqlite:", ""), { readonly: true });
    const tables = database
      .query<{ name: string }, []>("select name from sqlite_schema where type = 'table'")
      .all();
    return tables.flatMap(({ name }) => {
      const rows = database.query(`select * from "${name}"`).values();
      return rows.some((row) => row.some((value) => has(value, text))) ? [`rows of ${name}`] : [];
    });
  }
  const sql = new SQL(databaseUrl, { max: 1 });
  try {
    const tables: { name: string }[] = await sql`select tablename as name from pg_tables
      where schemaname = 'public' union all select 'pg_stats'`;
    const found: string[] = [];
    for (const { name } of tables) {
      const rows = await sql`select 1 from ${sql(name)} as one
        where strpos(lower(one::text), ${text}) > 0 limit 1`;
      if (rows.length > 0) found.push(`rows of ${name}`);
    }
    return found;
  } finally {
    await sql.close();
  }
}

/** The writes of a request that had begun before the purge: a row and a file. */
export async function writeLate(the: TestPlatform, workspace: string, text: string) {
  const values = [
    workspace,
    crypto.randomUUID(),
    "owner",
    "triage",
    "chat",
    text,
    0,
    "2026",
    "2026",
  ];
  const names = "workspace_id, id, owner, workflow_id, stage, title, message_count, created_at";
  const insert = `insert into conversations (${names}, updated_at) values`;
  if (the.engine === "sqlite") {
    using database = new Database(the.databaseUrl.replace("sqlite:", ""));
    // The platform of this process can end its own transaction only between two tries.
    await eventually(() => database.run(`${insert} (?, ?, ?, ?, ?, ?, ?, ?, ?)`, values));
  } else {
    const sql = new SQL(the.databaseUrl, { max: 1 });
    await sql.unsafe(`${insert} ($1, $2, $3, $4, $5, $6, $7, $8, $9)`, values);
    await sql.close();
  }
  const digest = new Bun.CryptoHasher("sha256").update(text).digest("hex");
  const folder = join(
    the.dataDirectory,
    "blobs",
    workspace,
    digest.slice(0, 2),
    digest.slice(2, 4),
  );
  await Bun.write(join(folder, digest), text);
}

function has(value: unknown, text: string): boolean {
  if (typeof value === "string") return value.toLowerCase().includes(text);
  if (!(value instanceof Uint8Array)) return false;
  return Buffer.from(value).toString("latin1").toLowerCase().includes(text);
}

async function databaseBytesWith({ databaseUrl }: TestPlatform, text: string): Promise<string[]> {
  const path = databaseUrl.replace("sqlite:", "");
  return filesWith(join(path, ".."), text);
}

/** Files whose bytes or whose path have the text. */
async function filesWith(directory: string, text: string): Promise<string[]> {
  const found: string[] = [];
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const bytes = entry.isFile() ? await Bun.file(path).bytes() : "";
    if (path.toLowerCase().includes(text) || has(bytes, text)) found.push(path);
  }
  return found;
}
