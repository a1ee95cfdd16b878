import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { SQL } from "bun";
import { Database } from "bun:sqlite";
import { findPostgres, startPostgres } from "../postgres.ts";
import { milliseconds, percentile, renderGroup, type Row } from "./figures.ts";
import { load, wireRequest } from "./load.ts";
import { preparePlatform, type BenchPlatform } from "./platform.ts";
import { untilIdle } from "#test/support/process-use.ts";

const memberCount = 10_000;
const childCount = 1_000;
const requestsEach = 300;
const warmUps = 20;
/** Creations whose times are compared: the first ones and the last ones. */
const comparedCreations = 100;
const goalP99Ms = 20;
const slowest = "the 1,000th child as fast as the first";

/**
 * `npm run bench -- lists`: a workspace with 10,000 members, and a user with 1,000 workspaces below
 * one parent, over HTTP on both databases. The baseline is a request that reads no table.
 */
export async function benchLists(directory: string): Promise<void> {
  await measureEngine("SQLite", join(directory, "lists-sqlite"), []);
  const folder = await findPostgres();
  if (folder === undefined) return console.log("PostgreSQL: there is no server here");
  const cluster = await startPostgres(folder, { isDurable: true });
  try {
    const url = await cluster.createDatabase("lists");
    await measureEngine(
      "PostgreSQL",
      join(directory, "lists-postgresql"),
      [`--database-url=${url}`],
      url,
    );
  } finally {
    await cluster.stop();
  }
}

async function measureEngine(
  name: string,
  directory: string,
  args: readonly string[],
  postgresql?: string,
): Promise<void> {
  await mkdir(directory);
  const platform = await preparePlatform(directory, args);
  const rows: Row[] = [];
  const add = (row: Row): void => {
    rows.push(row);
    console.error(`  ${row.name}: ${row.figures.filter((figure) => figure !== "").join(", ")}`);
  };
  try {
    const created = await createChildren(platform);
    await addMembers(platform, directory, postgresql);
    await untilIdle(platform.running.pid);
    const { tenantId } = platform;
    const { oid } = await platform.client.identity.me();
    add(await measured(platform, "no table: the health of records", "/v4/data/resources/health"));
    for (const [title, path] of Object.entries(lists(tenantId, oid))) {
      add(await measured(platform, title, path, goalP99Ms));
    }
    const cursor = await cursorAfter(platform, 9_000);
    const after = `/v4/platform/tenants/${tenantId}/members?limit=100&cursor=${cursor}`;
    add(await measured(platform, "members: 100 after the 9,000th, by cursor", after, goalP99Ms));
    const first = created.slice(0, comparedCreations);
    const last = created.slice(-comparedCreations);
    add(creations(`child workspaces: the first ${comparedCreations} creations`, first, undefined));
    add(creations(`child workspaces: the last ${comparedCreations} of 1,000`, last, first));
    const columns = ["p50", "p99", `p99 < ${goalP99Ms} ms; ${slowest}`];
    const title = `${name}: ${memberCount.toLocaleString("en")} members, 1,000 workspaces`;
    console.log(`\n${renderGroup({ name: title, columns }, rows)}\n`);
  } finally {
    await platform.running.stop();
  }
}

/** Every list of a workspace and of a user that grows with members or workspaces. */
function lists(tenantId: string, oid: string): Readonly<Record<string, string>> {
  const workspace = `/v4/platform/tenants/${tenantId}`;
  const staff = encodeURIComponent(JSON.stringify({ role: "tenant-staff" }));
  return {
    "members: first 25": `${workspace}/members?limit=25`,
    "members: first 500": `${workspace}/members?limit=500`,
    "members: 100 by display name, descending": `${workspace}/members?limit=100&sort=-displayName`,
    "members: 100 by role and name": `${workspace}/members?limit=100&sort=role,-lastName`,
    "members: 100 of a role": `${workspace}/members?limit=100&where=${staff}`,
    "members: page 100 of 100": `${workspace}/members?limit=100&page=100`,
    "members: first 25 with their number": `${workspace}/members?limit=25&count=true`,
    "members: search for one name": `${workspace}/members?limit=25&search=person-09987`,
    "members: search without a match": `${workspace}/members?limit=25&search=nowhere`,
    "members: by address": `${workspace}/users/by-email?email=person-05000@example.org`,
    "role definitions": `${workspace}/role-definitions`,
    invitations: `${workspace}/invitations`,
    keys: `${workspace}/keys`,
    "group rules": `${workspace}/group-rules`,
    "audit log": `${workspace}/audit?limit=100`,
    "own workspaces: first 50": "/v4/identity/tenants?limit=50",
    "own workspaces: page 20 of 50": "/v4/identity/tenants?limit=50&page=20",
    "own workspaces: all 1,001": "/v4/identity/tenants",
    "own workspaces below the parent": `${workspace}/users/${oid}/memberships`,
  };
}

async function measured(
  { running, token }: BenchPlatform,
  name: string,
  path: string,
  goalMs?: number,
): Promise<Row> {
  const address = new URL(path, running.url);
  const headers = [`authorization: Bearer ${token}`];
  const request = () => wireRequest("GET", address, headers, "", 200);
  await load(address, { connections: 1, count: warmUps, request });
  const { latenciesMs } = await load(address, { connections: 1, count: requestsEach, request });
  const p99 = percentile(latenciesMs, 0.99);
  const verdict = goalMs === undefined ? "" : p99 < goalMs ? "yes" : "no";
  return {
    name,
    figures: [milliseconds(percentile(latenciesMs, 0.5)), milliseconds(p99), verdict],
  };
}

function creations(name: string, times: readonly number[], first?: readonly number[]): Row {
  const p50 = percentile(times, 0.5);
  const ratio = first === undefined ? undefined : p50 / percentile(first, 0.5);
  const verdict = ratio === undefined ? "" : `${ratio.toFixed(2)} x`;
  return { name, figures: [milliseconds(p50), milliseconds(percentile(times, 0.99)), verdict] };
}

/** Creates the children one after another, each with its first admin; returns their times. */
async function createChildren({ client, tenantId: parentId }: BenchPlatform): Promise<number[]> {
  const times: number[] = [];
  const made: string[] = [];
  for (let at = 0; at < childCount; at += 1) {
    const slug = `child-${String(at).padStart(4, "0")}`;
    const body = { displayName: `Child ${at}`, slug, starterTemplate: "empty-template" } as const;
    const startedAt = performance.now();
    const { id } = await client.workspaces.createChild({ params: { parentId }, body });
    times.push(performance.now() - startedAt);
    made.push(id);
  }
  for (const childId of made) {
    await client.workspaces.bootstrapAdmin({ params: { parentId, childId } });
  }
  return times;
}

const rowsAtOnce = 500;

/** Adds the members to the database: 10,000 accepted invitations would take minutes. */
async function addMembers(
  { tenantId }: BenchPlatform,
  directory: string,
  postgresql: string | undefined,
): Promise<void> {
  const statements: string[] = [];
  for (let start = 0; start < memberCount; start += rowsAtOnce) {
    const people = Array.from({ length: rowsAtOnce }, (_, offset) => personOf(start + offset));
    const users = people.map((person) => `(${userValues(person)})`).join(", ");
    const members = people.map((person) => `(${memberValues(person, tenantId)})`).join(", ");
    statements.push(`insert into users (${userColumns}) values ${users}`);
    statements.push(`insert into members (${memberColumns}) values ${members}`);
  }
  if (postgresql === undefined) {
    using database = new Database(join(directory, "data", "svc.db"));
    database.run("pragma busy_timeout = 10000");
    for (const statement of statements) database.run(statement);
    database.run("analyze");
    return;
  }
  await using sql = new SQL(postgresql, { max: 1 });
  for (const statement of statements) await sql.unsafe(statement);
  // The server itself does this within a minute.
  await sql.unsafe("vacuum analyze");
}

interface Person {
  readonly oid: string;
  readonly memberId: string;
  readonly email: string;
  readonly name: string;
  readonly lastName: string;
  readonly role: string;
}

const at = "2026-01-01T00:00:00.000Z";
const userColumns =
  "oid, issuer, subject, email, email_key, display_name, last_name, password_state, " +
  "system_admin, created_at, updated_at";
const memberColumns =
  "workspace_id, oid, id, role, status, email, email_key, display_name, first_name, last_name, " +
  "search_text, created_at, updated_at";

function personOf(index: number): Person {
  const number = String(index).padStart(5, "0");
  const lastName = `Family ${(index * 7919) % 1_000}`;
  return {
    oid: Bun.randomUUIDv7(),
    memberId: Bun.randomUUIDv7(),
    email: `person-${number}@example.org`,
    name: `Person ${(index * 104_729) % memberCount} ${lastName}`,
    lastName,
    role: ["tenant-viewer", "tenant-staff", "tenant-builder"][index % 3] ?? "tenant-viewer",
  };
}

function userValues({ oid, email, name, lastName }: Person): string {
  const values = [oid, "", oid, email, email, name, lastName, "none"].map((text) => `'${text}'`);
  return [...values, "0", `'${at}'`, `'${at}'`].join(", ");
}

function memberValues({ oid, memberId, email, name, lastName, role }: Person, tenantId: string) {
  const search = `${email} ${name} ${lastName}`.toLowerCase();
  const values = [tenantId, oid, memberId, role, "active", email, email, name, "", lastName];
  return [...values, search, at, at].map((text) => `'${text}'`).join(", ");
}

/** The cursor of the page that ends with this member. */
async function cursorAfter({ client }: BenchPlatform, position: number): Promise<string> {
  const query = { limit: 500, page: position / 500 };
  const { nextCursor } = await client.members.list({ query });
  if (typeof nextCursor !== "string") throw new Error("the list of members has no cursor");
  return encodeURIComponent(nextCursor);
}
