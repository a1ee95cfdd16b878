import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { captureStream } from "#test/cli/world.ts";
import { startExternalProvider } from "#test/support/external-provider.ts";
import { field } from "#test/support/platform.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { runCommand } from "./world.ts";
import { served } from "./serve/served.ts";

describe("serve", () => {
  test("reports its address, shows the one-time password once, and exits with 0", async () => {
    const dataDir = join(await temporaryDirectory("platform"), "data");
    const words = ["--data-dir", dataDir];
    const first = await served(words, async ({ url, authUrl, dataDir: shownDir }) => {
      expect(authUrl).toBe(`${url}/auth`);
      expect(shownDir).toBe(dataDir);
      const health = await fetch(`${url}/v4/data/resources/health`);
      expect(health.status).toBe(200);
    });
    expect(first.exitCode).toBe(0);
    // Exactly one JSON value on stdout, and one line of it.
    expect(first.stdout.trimEnd().split("\n")).toHaveLength(1);
    expect(first.stderr).toMatch(
      /^listening on http:\/\/127\.0\.0\.1:\d+\nfirst user: admin@localhost\none-time password \(shown this once\): \S+\n$/,
    );
    const second = await served(words, () => Promise.resolve());
    expect(second).toMatchObject({
      exitCode: 0,
      stderr: expect.stringMatching(/^listening on \S+\n$/),
    });
  });

  test("keeps the one-time password until a start can show it", async () => {
    const words = ["--data-dir", join(await temporaryDirectory("platform"), "data")];
    const closed = await served(words, undefined, captureStream({ closed: true }));
    expect(closed).toMatchObject({ exitCode: 0, stderr: "" });
    const discarded = { ...captureStream(), isDiscarded: true };
    expect(await served(words, undefined, discarded)).toMatchObject({ exitCode: 0 });
    const shown = /one-time password[^:]*: (\S+)/.exec((await served(words)).stderr)?.[1] ?? "";
    expect(shown).not.toBe("");
    expect(discarded.text()).not.toContain(shown);
    expect((await served(words)).stderr).not.toContain("one-time password");
  });

  test("makes the user of --admin-email the administrator, by a verified address only", async () => {
    const provider = await startExternalProvider();
    try {
      const dataDir = join(await temporaryDirectory("platform"), "data");
      const words = ["--data-dir", dataDir, "--auth-url", provider.issuer];
      const started = await served(
        [...words, "--admin-email", "boss@example.org"],
        async ({ url, authUrl }) => {
          expect(authUrl).toBe(provider.issuer);
          const isAdmin = async (sub: string, isVerified: boolean): Promise<unknown> => {
            const claims = { sub, email: "boss@example.org", email_verified: isVerified };
            const headers = { authorization: `Bearer ${await provider.token(claims)}` };
            const me: unknown = await (await fetch(`${url}/v4/identity/me`, { headers })).json();
            return field(me, "systemAdmin");
          };
          expect(await isAdmin("someone", false)).toBe(false);
          expect(await isAdmin("the boss", true)).toBe(true);
        },
      );
      expect(started.exitCode).toBe(0);
      // The provider has the passwords.
      expect(started.stderr).not.toContain("one-time password");
    } finally {
      await provider.stop();
    }
  });

  test.each([
    [["--admin-email", "boss@example.org"], "--admin-email needs --auth-url"],
    [
      ["--auth-url", "https://login.example.org", "--admin-email", "boss"],
      '--admin-email "boss" is not an e-mail address',
    ],
    [["--trusted-proxy", "10.0.0.0/33"], '--trusted-proxy: "10.0.0.0/33" is not a network'],
    [["--metrics-bind", "9464"], '--metrics-bind "9464" is not an address'],
    [["--database-url", "mysql://me:secret@db"], 'Cannot open a database with "mysql:"'],
    [["--files-url", "gs://bucket"], "expected s3://bucket/prefix?endpoint=…"],
    [["--files-url", "s3://B"], "Cannot use the files URL"],
  ])("refuses %j before it makes a directory", async (words, reason) => {
    const dataDir = join(await temporaryDirectory("platform"), "data");
    const { exitCode, stderr } = await runCommand(["serve", "--data-dir", dataDir, ...words]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(reason);
    expect(existsSync(dataDir)).toBe(false);
  });

  test("accepts the public address", async () => {
    const dataDir = await temporaryDirectory("platform");
    const words = ["--data-dir", dataDir, "--base-url", "https://svc.example.org/"];
    await served(words, async ({ url, authUrl }) => {
      expect(authUrl).toBe("https://svc.example.org/auth");
      expect(url).toMatch(/^http:\/\/127\.0\.0\.1:/);
    });
  });

  test.each([
    ["svc.example.org", "is not an address"],
    ["ftp://svc.example.org", "is neither http nor https"],
    ["https://me:secret@svc.example.org", "carries credentials"],
    ["https://svc.example.org/?x=1", "has a query or a fragment"],
    ["https://example.org/svc", "has a path, but the platform's paths begin at /"],
  ])("refuses %s as the public address", async (address, reason) => {
    const dataDir = join(await temporaryDirectory("platform"), "data");
    const words = ["serve", "--data-dir", dataDir, "--base-url", address, "--format", "json"];
    const { exitCode, json, stderr } = await runCommand(words);
    expect(exitCode).toBe(2);
    expect(json).toMatchObject({
      error: { code: "E305", message: expect.stringContaining(`--base-url ${reason}`) },
    });
    expect(stderr + JSON.stringify(json)).not.toContain("secret");
    expect(existsSync(dataDir)).toBe(false);
  });

  test("refuses an OpenID provider without a valid address", async () => {
    const words = ["serve", "--port", "0", "--auth-url", "login.example.org", "--format", "json"];
    expect(await runCommand(words)).toMatchObject({
      exitCode: 2,
      json: { error: { code: "E305", message: "Invalid input: --auth-url is not an address" } },
    });
  });

  test("says why sample data need the built-in provider", async () => {
    const words = "serve --port 0 --demo --auth-url https://login.example.org --format json";
    const refused = await runCommand(words.split(" "));
    expect(refused).toMatchObject({ exitCode: 2 });
    expect(refused.stdout).toContain("the people of the sample data have their accounts there");
  });

  test("refuses a data directory that is in use, and a port that is taken", async () => {
    const dataDir = await temporaryDirectory("platform");
    await served(["--data-dir", dataDir], async ({ url }) => {
      const twice = await runCommand(["serve", "--port", "0", "--data-dir", dataDir]);
      expect(twice.exitCode).toBe(1);
      expect(twice.stderr).toContain(
        `Error E205: Resource conflict: the data directory ${dataDir} is in use\n` +
          "  Stop the other `svc serve`, or choose another directory with --data-dir\n",
      );
      const other = await temporaryDirectory("platform");
      const { port } = new URL(url);
      const taken = await runCommand(["serve", "--port", port, "--data-dir", other]);
      expect(taken.exitCode).toBe(1);
      expect(taken.stderr).toContain(`port ${port} of 127.0.0.1 is in use`);
    });
  });

  test("adds the sample data at a later start", async () => {
    const dataDir = await temporaryDirectory("platform");
    await served(["--data-dir", dataDir], () => Promise.resolve());
    const words = ["--data-dir", dataDir, "--demo"];
    const { exitCode, stderr } = await served(words, async ({ url }) => {
      const { stdout } = await runCommand(["serve", "token", "--data-dir", dataDir]);
      const headers = { authorization: `Bearer ${stdout.trim()}` };
      const tenants = await (await fetch(`${url}/v4/identity/tenants`, { headers })).json();
      expect(JSON.stringify(tenants)).toContain('"slug":"planning"');
    });
    expect(exitCode).toBe(0);
    expect(stderr).toMatch(/^listening on \S+\n$/);
  });
});
