import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { CatalogError } from "#contract/errors.ts";
import { createPlatform } from "#server/platform.ts";
import { diagnose } from "#server/platform/maintenance/offline-doctor.ts";
import { mintToken } from "#server/platform/maintenance/token.ts";
import { serve, type Served, type ServeOptions } from "#server/serve.ts";
import { describeNeeding } from "#test/support/needs.ts";
import { eventually } from "#test/support/eventually.ts";
import { createTestDatabase, missingPostgres } from "#test/support/postgres.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

const running: Served[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((served) => served.stop()));
});

async function start(options: Partial<ServeOptions> = {}): Promise<Served> {
  const served = await serve({
    host: "127.0.0.1",
    port: 0,
    dataDirectory: join(await temporaryDirectory("serve"), "data"),
    extractionCommand: [],
    log: () => {},
    ...options,
  });
  running.push(served);
  return served;
}

async function refusal(options: Partial<ServeOptions>): Promise<CatalogError> {
  try {
    await start(options);
  } catch (error) {
    if (error instanceof CatalogError) return error;
    throw error;
  }
  throw new Error("it started");
}

/** The platform's response to bytes on a new connection. */
function raw(served: Served, text: string): Promise<string> {
  const { hostname, port } = new URL(served.url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(text));
    let answer = "";
    socket.on("data", (chunk) => {
      answer += chunk.toString();
      if (answer.includes("\r\n\r\n")) socket.end();
    });
    socket.on("close", () => resolve(answer));
    socket.on("error", reject);
  });
}

const healthPath = "/v4/data/resources/health";

describe("a platform on a port", () => {
  test("reports its URL and answers there", async () => {
    const served = await start();
    expect(served.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(served.authUrl).toBe(`${served.url}/auth`);
    const response = await fetch(served.url + healthPath);
    expect(await response.json()).toMatchObject({ status: "ok" });
  });

  const shown = {
    email: "admin@localhost",
    oneTimePassword: expect.stringMatching(/^[a-z2-9-]{23}$/),
  };

  test("shows the first user's one-time password at the first start only", async () => {
    const first = await start();
    expect(first.firstSignIn).toEqual(shown);
    await first.stop();
    const second = await start({ dataDirectory: first.dataDirectory });
    expect(second.firstSignIn).toBeUndefined();
  });

  test("still shows a password after a failed start", async () => {
    const dataDirectory = join(await temporaryDirectory("serve"), "data");
    const other = await start();
    await refusal({ dataDirectory, port: Number(new URL(other.url).port) });
    const served = await start({ dataDirectory });
    expect(served.firstSignIn).toEqual(shown);
  });

  test("still shows a password after the platform ran without a port", async () => {
    const dataDirectory = join(await temporaryDirectory("serve"), "data");
    const logger = { info: () => {}, warn: () => {}, error: () => {} };
    const local = await createPlatform({ dataDirectory, logger, extractionCommand: [] });
    expect(local.firstUser).toEqual({ email: "admin@localhost" });
    await local.close();
    const served = await start({ dataDirectory });
    expect(served.firstSignIn).toEqual(shown);
  });

  test("shows no password with an external provider", async () => {
    const served = await start({ authUrl: "http://127.0.0.1:1" });
    expect(served.firstSignIn).toBeUndefined();
  });

  test("makes its directory private", async () => {
    const { dataDirectory } = await start();
    expect((await stat(dataDirectory)).mode & 0o777).toBe(0o700);
    expect((await stat(join(dataDirectory, "svc.db"))).mode & 0o777).toBe(0o600);
  });

  test("refuses foreign hosts and pages of other sites", async () => {
    const served = await start();
    const foreign = `GET ${healthPath} HTTP/1.1\r\nHost: evil.example\r\n\r\n`;
    expect(await raw(served, foreign)).toContain("403 Forbidden");
    const response = await fetch(served.url + healthPath, {
      headers: { origin: "http://evil.example" },
    });
    expect(response.status).toBe(403);
    expect(response.headers.get("access-control-allow-origin")).toBeNull();
  });

  test("refuses a Content-Length above the limit without waiting for the body", async () => {
    const served = await start();
    const { token } = await served.platform.mintToken({ ttlMs: 60_000 });
    const head = [
      "POST /v4/platform/tenants HTTP/1.1",
      `Host: ${new URL(served.url).host}`,
      `Authorization: Bearer ${token}`,
      "Content-Type: application/json",
      `Content-Length: ${20 * 1024 ** 3}`,
    ];
    const answer = await raw(served, `${head.join("\r\n")}\r\n\r\n{`);
    expect(answer).toContain("413");
    expect(answer).toContain("content-too-large");
  });
});

describe("with a proxy and a public URL", () => {
  const baseUrl = "https://data.example.org";
  const asking = (served: Served, path: string, ...fields: string[]): Promise<string> =>
    raw(served, [`GET ${path} HTTP/1.1`, ...fields, "", ""].join("\r\n"));

  test("uses its public URL for every request, and issues tokens with it", async () => {
    const served = await start({ baseUrl });
    expect(served.authUrl).toBe(`${baseUrl}/auth`);
    const path = "/auth/.well-known/openid-configuration";
    expect(await asking(served, path, "Host: data.example.org")).toContain(" 200 ");
    const near = await fetch(served.url + path);
    expect(await near.json()).toMatchObject({ issuer: `${baseUrl}/auth` });
    const foreign = await asking(served, path, "Host: other.example.org");
    expect(foreign).toContain(" 403 ");
    expect(foreign).toContain("see svc serve --base-url");
  });

  /** Statuses of sign-in requests, each with another `X-Forwarded-For`. */
  const statuses = async (served: Served, forwarded: readonly string[]): Promise<number[]> => {
    const found: number[] = [];
    for (const field of forwarded) {
      const answer = await asking(
        served,
        "/auth/oauth2/v2.0/userinfo",
        `Host: ${new URL(served.url).host}`,
        `X-Forwarded-For: ${field}`,
      );
      found.push(Number(answer.split(" ")[1]));
    }
    return found;
  };
  const limits = { signInRequests: 2, signInWindowSeconds: 60 };

  test("counts sign-in for the address from the proxy, not from the caller", async () => {
    const served = await start({ baseUrl, limits });
    const forwarded = ["192.0.2.1", "10.0.0.1, 192.0.2.1", "10.0.0.2, 192.0.2.1", "2001:db8::1"];
    expect(await statuses(served, forwarded)).toEqual([401, 401, 429, 401]);
  });

  test("ignores X-Forwarded-For without a public URL", async () => {
    const served = await start({ limits });
    expect(await statuses(served, ["192.0.2.1", "192.0.2.2", "192.0.2.3"])).toEqual([
      401, 401, 429,
    ]);
  });
});

describe("a minted token", () => {
  test("is accepted by the running platform", async () => {
    const served = await start();
    const { dataDirectory, url } = served;
    const minted = await mintToken({ dataDirectory, ttlMs: 90_000 });
    const headers = { authorization: `Bearer ${minted.token}` };
    const response = await fetch(`${url}/v4/identity/me`, { headers });
    expect(await response.json()).toMatchObject({ email: "admin@localhost", systemAdmin: true });
    const claims = JSON.parse(
      Buffer.from(minted.token.split(".")[1] ?? "", "base64url").toString(),
    );
    expect(claims).toMatchObject({ iss: `${url}/auth`, aud: "svc-platform" });
    expect(Date.parse(minted.expiresAt)).toBe(claims.exp * 1000);
    expect(claims.exp - claims.iat).toBe(90);
  });

  test("survives a restart on another port", async () => {
    const first = await start();
    const { token } = await first.platform.mintToken({ ttlMs: 60_000 });
    await first.stop();
    const second = await start({ dataDirectory: first.dataDirectory });
    const headers = { authorization: `Bearer ${token}` };
    expect((await fetch(`${second.url}/v4/identity/me`, { headers })).status).toBe(200);
  });

  test("needs an existing user", async () => {
    const { dataDirectory } = await start();
    const minting = mintToken({ dataDirectory, email: "nobody@example.org", ttlMs: 60_000 });
    await expect(minting).rejects.toMatchObject({ code: "E202" });
  });

  test("needs a platform that was started, and creates no data without one", async () => {
    const dataDirectory = await temporaryDirectory("empty");
    const minting = mintToken({ dataDirectory, ttlMs: 60_000 });
    await expect(minting).rejects.toMatchObject({
      code: "E202",
      message: `Platform data in ${dataDirectory} not found`,
    });
    expect(await Bun.file(join(dataDirectory, "svc.db")).exists()).toBe(false);
  });
});

describe("a start that fails", () => {
  test("because the port is in use, reports it and leaves the directory free", async () => {
    const first = await start();
    const port = Number(new URL(first.url).port);
    const dataDirectory = join(await temporaryDirectory("serve"), "data");
    const error = await refusal({ port, dataDirectory });
    expect(error).toMatchObject({
      code: "E205",
      message: `Resource conflict: port ${port} of 127.0.0.1 is in use`,
      exitCode: 1,
      hint: expect.stringContaining("--port"),
    });
    expect(await start({ dataDirectory })).toHaveProperty("url");
  });

  test.each(["192.0.2.1", "nowhere.invalid"])(
    "because %s is not an address of this machine, reports that and not a port in use",
    async (host) => {
      expect(await refusal({ host })).toMatchObject({
        code: "E006",
        message: `Failed to load configuration: ${host} is not an address of this machine`,
        hint: expect.stringContaining("--host"),
      });
    },
  );

  test("because another process serves the directory, reports it", async () => {
    const { dataDirectory } = await start();
    expect(await refusal({ dataDirectory })).toMatchObject({
      code: "E205",
      message: `Resource conflict: the data directory ${dataDirectory} is in use`,
      hint: expect.stringContaining("--data-dir"),
    });
  });

  test.each([
    ["it is not a folder", ""],
    ["a part of its path is not a folder", "data"],
  ])("because the directory is a file, reports that %s", async (words, below) => {
    const file = join(await temporaryDirectory("serve"), "file");
    await writeFile(file, "");
    const dataDirectory = join(file, below);
    expect(await refusal({ dataDirectory })).toMatchObject({
      code: "E006",
      message: expect.stringContaining(`${dataDirectory}: ${words}`),
    });
  });

  test("because the database is damaged, points to the doctor command", async () => {
    const dataDirectory = await temporaryDirectory("serve");
    await writeFile(join(dataDirectory, "svc.db"), "no database");
    expect(await refusal({ dataDirectory })).toMatchObject({
      code: "E203",
      hint: `Run \`svc serve doctor --data-dir ${dataDirectory}\`, and restore a backup`,
    });
  });

  test("because the database is away, reports it without its password", async () => {
    const databaseUrl = "postgres://svc:swordfish@127.0.0.1:1/svc";
    const error = await refusal({ databaseUrl });
    expect(error.code).toBe("E006");
    expect(error.message).not.toContain("swordfish");
  });

  test("because the database's URL has an unknown scheme, reports it", async () => {
    const error = await refusal({ databaseUrl: "mysql://svc:swordfish@127.0.0.1/svc" });
    expect(error).toMatchObject({
      code: "E006",
      message:
        "Failed to load configuration: " +
        'Cannot open a database with "mysql:": expected "postgres://…"',
      hint: expect.stringContaining("--database-url"),
    });
  });

  test("does not change the mode of an existing directory", async () => {
    const dataDirectory = join(await temporaryDirectory("serve"), "shared");
    await mkdir(dataDirectory, { mode: 0o755 });
    await start({ dataDirectory });
    expect((await stat(dataDirectory)).mode & 0o777).toBe(0o755);
  });
});

describeNeeding("a data directory with a PostgreSQL database", missingPostgres, () => {
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  beforeEach(async () => {
    database = await createTestDatabase();
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map((served) => served.stop()));
    await database.drop();
  });

  test("is locked to one platform, whose uploads another start would delete", async () => {
    const first = await start({ databaseUrl: database.url });
    const { dataDirectory } = first;
    const staged = join(dataDirectory, "blobs", "staging", "taken-in-right-now.part");
    await mkdir(dirname(staged), { recursive: true });
    await writeFile(staged, "half of it");
    const inUse = {
      code: "E205",
      message: `Resource conflict: the data directory ${dataDirectory} is in use`,
    };
    expect(await refusal({ databaseUrl: database.url, dataDirectory })).toMatchObject(inUse);
    const mending = diagnose({
      databaseUrl: database.url,
      dataDirectory,
      fix: true,
      withDigests: false,
    });
    await expect(mending).rejects.toMatchObject(inUse);
    expect(await readFile(staged, "utf8")).toBe("half of it");
    await first.stop();
    await start({ databaseUrl: database.url, dataDirectory });
    await expect(readFile(staged)).rejects.toThrow("ENOENT");
  });
});

describe("a platform that stops", () => {
  test("completes the responses that it has begun, and closes", async () => {
    const served = await start();
    const { token } = await served.platform.mintToken({ ttlMs: 60_000 });
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const begun = Array.from({ length: 20 }, (_, n) =>
      fetch(`${served.url}/v4/platform/tenants`, {
        method: "POST",
        headers,
        body: JSON.stringify({ slug: `root-${n}`, displayName: "Root", homeRegion: "eu" }),
      }),
    );
    // One response proves that the platform has received the other requests too.
    await Promise.race(begun);
    const stopping = served.stop();
    const answers = await Promise.allSettled(begun);
    await stopping;
    const created = answers.filter(
      (answer) => answer.status === "fulfilled" && answer.value.status === 201,
    );
    const again = await start({ dataDirectory: served.dataDirectory });
    const list = await fetch(`${again.url}/v4/identity/tenants`, { headers });
    const { items }: { items: unknown[] } = JSON.parse(await list.text());
    // Only the answered requests must have had their effect.
    expect(items.length).toBeGreaterThanOrEqual(created.length);
    await expect(fetch(served.url + healthPath)).rejects.toThrow();
  });

  test("waits for a stalled upload, but keeps time for the close", async () => {
    const served = await start();
    const { token } = await served.platform.mintToken({ ttlMs: 60_000 });
    const drain = vi.spyOn(served.platform, "drain");
    const arrived = vi.spyOn(served.platform, "fetch");
    const answer = raw(
      served,
      "POST /v4/data/documents/upload HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n" +
        `Authorization: Bearer ${token}\r\nContent-Type: multipart/form-data; boundary=x\r\n\r\n` +
        '--x\r\nContent-Disposition: form-data; name="tenant_id"\r\n\r\n',
    );
    await eventually(() => expect(arrived).toHaveBeenCalled());
    await served.stop(500);
    expect(drain).toHaveBeenCalledExactlyOnceWith(400);
    // Its client gets no response.
    expect(await answer).toBe("");
    expect(await start({ dataDirectory: served.dataDirectory })).toHaveProperty("url");
  });

  test("may be stopped twice", async () => {
    const served = await start();
    const close = vi.spyOn(served.platform, "close");
    await Promise.all([served.stop(), served.stop()]);
    await served.stop();
    expect(close).toHaveBeenCalledOnce();
  });
});
