/**
 * The baseline of a platform: the same parts put together by hand, for one fixed type. It signs the
 * caller in by a table, checks a role and a record, keeps its history, finds it by a property and
 * by its words, and answers a create after the commit that it shares with the others of its tick.
 * It has no contract, changing types, rights, limits, traces or threads.
 */
import { Database } from "bun:sqlite";
import { join } from "node:path";
import * as z from "zod";

const [, , directory, token] = process.argv;
if (directory === undefined || token === undefined) throw new Error("bare-server DIRECTORY TOKEN");

const database = new Database(join(directory, "bare-server.sqlite"), { create: true });
for (const statement of [
  "pragma journal_mode = wal",
  "pragma synchronous = full",
  `create table records (id text primary key, tenant text not null, type integer not null,
     data blob not null, version integer not null, created_at text not null) without rowid`,
  "create index by_type on records (tenant, type, id)",
  "create index by_reference on records (tenant, type, data ->> 'reference', id)",
  "create index by_status on records (tenant, type, data ->> 'status', id)",
  `create table history (id text, version integer, data blob not null, at text not null,
     primary key (id, version)) without rowid`,
  "create virtual table words using fts5 (text, content = '')",
]) {
  database.run(statement);
}

interface Row {
  readonly id: string;
  readonly data: string;
  readonly version: number;
  readonly created_at: string;
}
const columns = "id, json(data) as data, version, created_at";
const get = database.query<Row, [string, string]>(
  `select ${columns} from records where tenant = ? and type = 1 and id = ?`,
);
const list = database.query<Row, [string, number]>(
  `select ${columns} from records where tenant = ? and type = 1 order by id limit ?`,
);
const insert = database.query("insert into records values (?, ?, 1, jsonb(?), 1, ?)");
const keep = database.query("insert into history values (?, 1, jsonb(?), ?)");
const index = database.query("insert into words (text) values (?)");

const Body = z.strictObject({
  reference: z.string().min(1).max(65_536),
  address: z.string().max(65_536),
  status: z.enum(["open", "decided", "withdrawn"]),
  area: z.int(),
});
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const tenant = Bun.randomUUIDv7();
const users = new Map([[`Bearer ${token}`, { roles: new Map([[tenant, "admin"]]) }]]);

interface Write {
  readonly row: Row;
  readonly text: string;
  readonly isDone: () => void;
}
let waiting: Write[] = [];
const writeAll = database.transaction((writes: readonly Write[]) => {
  for (const { row, text } of writes) {
    insert.run(row.id, tenant, row.data, row.created_at);
    keep.run(row.id, row.data, row.created_at);
    index.run(text);
  }
});
function commit(): void {
  const writes = waiting;
  waiting = [];
  writeAll.immediate(writes);
  for (const { isDone } of writes) isDone();
}
function written(row: Row, text: string): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.length === 0) setImmediate(commit);
    waiting.push({ row, text, isDone: resolve });
  });
}

function mayUse(request: Request, tenantId: string): boolean {
  const user = users.get(request.headers.get("authorization") ?? "");
  return uuid.test(tenantId) && user?.roles.has(tenantId) === true;
}
const shown = ({ id, data, version, created_at }: Row): object => ({
  id,
  version,
  createdAt: created_at,
  data: JSON.parse(data) as unknown,
});
function answer(body: unknown, status: number): Response {
  return Response.json(body, { status, headers: { "x-request-id": Bun.randomUUIDv7() } });
}

const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  routes: {
    "/:tenant/records/:id": {
      GET(request) {
        const { tenant: tenantId, id } = request.params;
        if (!mayUse(request, tenantId)) return answer({}, 401);
        const row = uuid.test(id) ? get.get(tenantId, id) : null;
        return row === null ? answer({}, 404) : answer(shown(row), 200);
      },
    },
    "/:tenant/records": {
      GET(request) {
        const { tenant: tenantId } = request.params;
        if (!mayUse(request, tenantId)) return answer({}, 401);
        const limit = Number(new URL(request.url).searchParams.get("limit") ?? 20);
        return answer({ items: list.all(tenantId, limit).map(shown) }, 200);
      },
      async POST(request) {
        if (!mayUse(request, request.params.tenant)) return answer({}, 401);
        const body = Body.safeParse(await request.json());
        if (!body.success) return answer({}, 422);
        const data = JSON.stringify(body.data);
        const id = Bun.randomUUIDv7();
        const row = { id, data, version: 1, created_at: new Date().toISOString() };
        await written(row, `${body.data.reference} ${body.data.address}`);
        return answer(shown(row), 201);
      },
    },
  },
});
process.stdout.write(`${server.url.origin}/${tenant}/records\n`);
