import { stat } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { describeNeeding } from "#test/support/needs.ts";
import { createTestDatabase, missingPostgres } from "#test/support/postgres.ts";
import { oneThread, startPlatform, svc } from "#test/support/svc.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

const curl = Bun.which("curl");
const roots = "/v4/platform/tenants";

interface Curled {
  readonly status: number;
  readonly headers: string;
  readonly body: string;
}

/** The response that curl receives, without our client. */
async function curled(args: readonly string[]): Promise<Curled> {
  const command = [String(curl), "--silent", "--show-error", "--include", "--max-time", "20"];
  const child = Bun.spawn([...command, ...args], { stdio: ["ignore", "pipe", "pipe"] });
  const text = await child.stdout.text();
  const [headers = "", ...rest] = text.split("\r\n\r\n");
  return {
    status: Number(/^HTTP\/\S+ (\d+)/.exec(headers)?.[1]),
    headers: headers.toLowerCase(),
    body: rest.join("\r\n\r\n"),
  };
}

function failure(text: string): unknown {
  expect(text).not.toMatch(/\bat .+:\d+:\d+/);
  return JSON.parse(text);
}

describeNeeding("the compiled platform", curl === null ? "needs curl" : undefined, () => {
  test("answers curl: health, identity, a workspace, a type, a record and a conflict", async () => {
    await using platform = await startPlatform();
    const token = await platform.token();
    const authorization = ["--header", `Authorization: Bearer ${token}`];
    const json = (method: string, path: string, body: unknown, more: readonly string[] = []) =>
      curled([
        ...authorization,
        ...more,
        "--request",
        method,
        "--header",
        "Content-Type: application/json",
        "--data",
        JSON.stringify(body),
        platform.url + path,
      ]);

    const health = await curled([`${platform.url}/v4/data/resources/health`]);
    expect(health.status).toBe(200);
    expect(JSON.parse(health.body)).toMatchObject({ status: "ok" });
    expect(health.headers).toContain("x-request-id: ");

    const question = encodeURIComponent("漢字".repeat(2_000));
    const long = await curled([`${platform.url}/v4/data/documents/search?query=${question}`]);
    expect(long.status).toBe(401);

    const nobody = await curled([`${platform.url}/v4/identity/me`]);
    expect(nobody.status).toBe(401);
    expect(nobody.headers).toContain("content-type: application/problem+json");

    const root = { slug: "curl", displayName: "Curl", homeRegion: "eu" };
    const created = await json("POST", roots, root, ["--header", "Idempotency-Key: one"]);
    expect(created.status).toBe(201);
    const again = await json("POST", roots, root, ["--header", "Idempotency-Key: one"]);
    expect(again.body).toBe(created.body);
    const { id }: { id: string } = JSON.parse(created.body);

    const type = { name: "Note", slug: "note", properties: { text: { type: "string" } } };
    const tenant = ["--header", `X-Tenant-Id: ${id}`];
    expect((await json("POST", "/v4/data/resources/object-types", type, tenant)).status).toBe(201);
    const create = () =>
      json("POST", `/v4/data/resources/${id}/note`, { text: "hello" }, [
        "--header",
        "Idempotency-Key: two",
      ]);
    const record = await create();
    expect(record.status).toBe(201);
    expect(record.headers).toContain('etag: "1"');
    const replayed = await create();
    expect(replayed.headers).toContain("idempotency-replayed: true");
    expect(replayed.headers).toContain('etag: "1"');
    expect(replayed.body).toBe(record.body);
    const { id: recordId, version }: { id: string; version: number } = JSON.parse(record.body);
    const path = `/v4/data/resources/${id}/note/${recordId}`;
    const read = await curled([...authorization, platform.url + path]);
    expect(read.headers).toContain(`etag: "${version}"`);
    const fresh = [...authorization, "--header", `If-None-Match: "${version}"`];
    expect((await curled([...fresh, platform.url + path])).status).toBe(304);
    const stale = await json("PUT", path, { data: { text: "bye" }, version: version + 1 });
    expect(stale.status).toBe(409);
    expect(JSON.parse(stale.body)).toMatchObject({ code: "version-conflict", currentVersion: 1 });
    expect(platform.stderr()).not.toContain("request-failed");
  }, 60_000);
});

describe("the compiled platform as a process", () => {
  test("ends with 0 on SIGTERM, also while a client keeps a connection open", async () => {
    await using platform = await startPlatform();
    await fetch(`${platform.url}/v4/data/resources/health`);
    expect(await platform.stop()).toBe(0);
    expect(platform.stderr()).toContain(`listening on ${platform.url}`);
  }, 60_000);

  test("goes on without its terminal where it was started to, as by nohup", async () => {
    const preparation = "trap '' HUP";
    await using platform = await startPlatform({ preparation, args: [oneThread] });
    process.kill(platform.pid, "SIGHUP");
    const answered = await fetch(`${platform.url}/v4/data/resources/health`);
    expect(answered.status).toBe(200);
    // Had it begun to end, a second signal would have cut that short.
    expect(await platform.stop()).toBe(0);
  }, 60_000);

  test("keeps every workspace that it has answered for when it is killed", async () => {
    const dataDir = await temporaryDirectory("platform");
    const answered: string[] = [];
    const first = await startPlatform({ dataDir });
    const headers = {
      authorization: `Bearer ${await first.token()}`,
      "content-type": "application/json",
    };
    let isOver = false;
    const write = async (writer: number): Promise<void> => {
      for (let n = 0; !isOver; n += 1) {
        const slug = `root-${writer}-${n}`;
        const body = JSON.stringify({ slug, displayName: slug, homeRegion: "eu" });
        const init = { method: "POST", headers, body };
        const response = await fetch(first.url + roots, init).catch(() => undefined);
        if (response?.status === 201) answered.push(slug);
        else return;
      }
    };
    const writers = [1, 2, 3, 4].map(write);
    while (answered.length < 200) await Bun.sleep(1);
    await first.kill();
    isOver = true;
    await Promise.all(writers);

    await using second = await startPlatform({ dataDir });
    const list = await fetch(`${second.url}/v4/identity/tenants`, { headers });
    expect(list.status).toBe(200);
    const { items }: { items: { slug: string }[] } = JSON.parse(await list.text());
    const kept = new Set(items.map(({ slug }) => slug));
    expect(answered.filter((slug) => !kept.has(slug))).toEqual([]);
    expect(second.stderr()).not.toContain("one-time password");
  }, 60_000);

  test("keeps the first password when it was started without anything to show it on", async () => {
    const dataDir = await temporaryDirectory("platform");
    for (const nowhere of ["2>&-", "2>/dev/null"]) {
      await using unseen = await startPlatform({
        dataDir,
        redirection: nowhere,
        args: [oneThread],
      });
      expect(await unseen.stop()).toBe(0);
    }
    await using seen = await startPlatform({ dataDir, args: [oneThread] });
    expect(await seen.stop()).toBe(0);
    expect(seen.stderr()).toContain("one-time password");
  }, 60_000);

  test("refuses a directory that another one serves, as text and as JSON", async () => {
    await using platform = await startPlatform({ args: [oneThread] });
    const args = ["serve", "--port=0", `--data-dir=${platform.dataDir}`];
    const words = await svc(args);
    expect(words.exitCode).toBe(1);
    expect(words.stderr).toContain(`the data directory ${platform.dataDir} is in use`);
    expect(words.stderr).toContain("--data-dir");
    const json = await svc([...args, "--format=json"]);
    expect(failure(json.stdout)).toMatchObject({ error: { code: "E205", exitCode: 1 } });
  }, 60_000);

  test("refuses a port that another one has, and leaves nothing running", async () => {
    await using platform = await startPlatform({ args: [oneThread] });
    const { port } = new URL(platform.url);
    const dataDir = await temporaryDirectory("second");
    const json = await svc(["serve", `--port=${port}`, `--data-dir=${dataDir}`, "--format=json"]);
    expect(json.exitCode).toBe(1);
    expect(failure(json.stdout)).toMatchObject({
      error: { code: "E205", message: `Resource conflict: port ${port} of 127.0.0.1 is in use` },
    });
  }, 60_000);

  test("makes its directory for its owner only", async () => {
    const dataDir = join(await temporaryDirectory("parent"), "data");
    await using platform = await startPlatform({ dataDir, args: [oneThread] });
    expect((await stat(platform.dataDir)).mode & 0o777).toBe(0o700);
  }, 60_000);

  test("mints tokens for scripts, running or not, that end when they should", async () => {
    const dataDir = await temporaryDirectory("platform");
    const platform = await startPlatform({ dataDir, args: [oneThread] });
    const token = await platform.token();
    const headers = { authorization: `Bearer ${token}` };
    const me = await fetch(`${platform.url}/v4/identity/me`, { headers });
    expect(await me.json()).toMatchObject({ email: "admin@localhost" });
    await platform.stop();
    const args = ["serve", "token", `--data-dir=${dataDir}`, "--ttl=15m", "--format=json"];
    const { stdout, exitCode } = await svc(args);
    expect(exitCode).toBe(0);
    const minted: { token: string; expiresAt: string } = JSON.parse(stdout);
    const claims = JSON.parse(
      Buffer.from(minted.token.split(".")[1] ?? "", "base64url").toString(),
    );
    expect(claims.exp - claims.iat).toBe(900);
    expect(minted.expiresAt).toBe(new Date(claims.exp * 1000).toISOString());
    const nobody = await svc([...args, "--email=nobody@example.org"]);
    expect(failure(nobody.stdout)).toMatchObject({
      error: { code: "E202", message: "User nobody@example.org not found" },
    });
  }, 60_000);
});

describeNeeding("the compiled platform on PostgreSQL", missingPostgres, () => {
  test("starts, serves, and starts again", async () => {
    const database = await createTestDatabase();
    const args = [`--database-url=${database.url}`];
    const dataDir = await temporaryDirectory("platform");
    {
      await using platform = await startPlatform({ dataDir, args });
      const headers = { authorization: `Bearer ${await platform.token()}` };
      const me = await fetch(`${platform.url}/v4/identity/me`, { headers });
      expect(me.status).toBe(200);
      expect(await platform.stop()).toBe(0);
      expect(platform.stderr()).toContain("one-time password");
    }
    {
      await using platform = await startPlatform({ dataDir, args });
      expect(platform.stderr()).not.toContain("one-time password");
      const health = await fetch(`${platform.url}/v4/data/resources/health`);
      expect(await health.json()).toMatchObject({
        components: { database: { detail: "postgresql" } },
      });
    }
    await database.drop();
  }, 60_000);
});
