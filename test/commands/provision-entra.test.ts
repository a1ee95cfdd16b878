import { mkdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parseEnv } from "#local/env/file.ts";
import { field } from "#test/support/platform.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { commandWorld } from "./world.ts";

const the = commandWorld();
let count = 0;

/** A project that is bound to a new app key. */
async function project() {
  const folder = await temporaryDirectory("project");
  await mkdir(join(folder, "src/eai.config"), { recursive: true });
  count += 1;
  const file = join(folder, ".env.local");
  await Bun.write(file, `# keys\nSVC_APP_KEY=desk-${count}\n`);
  const at = { currentDirectory: folder };
  return {
    file,
    key: `desk-${count}`,
    text: (words = "") => the().svc(`provision entra ${words}`.trim(), at),
    json: (words = "") => the().json(`provision entra ${words}`.trim(), at),
    async variables() {
      const all = parseEnv(await Bun.file(file).text());
      return {
        id: all.get("SVC_AUTH_CLIENT_ID"),
        secret: all.get("SVC_AUTH_CLIENT_SECRET"),
        issuer: all.get("SVC_AUTH_ISSUER"),
      };
    },
  };
}

/** Whether the platform takes the secret for the client. */
async function isAccepted({ id, secret }: Readonly<Record<string, string | undefined>>) {
  const response = await the().platform.platform.fetch(
    new Request("http://platform.test/auth/oauth2/v2.0/revoke", {
      method: "POST",
      body: new URLSearchParams({ client_id: id ?? "", client_secret: secret ?? "", token: "x" }),
    }),
  );
  return response.status === 200;
}

test("registers the app once, and keeps its secret in .env.local only", async () => {
  const own = await project();
  const made = await own.json();
  expect(made).toMatchObject({
    exitCode: 0,
    json: { key: own.key, created: true, secretWritten: true, status: "active" },
  });
  const written = await own.variables();
  expect(written).toMatchObject({
    id: field(made.json, "clientId"),
    secret: expect.stringMatching(/^svcs_/),
    issuer: "http://platform.test/auth",
  });
  expect(made.stdout + made.stderr).not.toContain("svcs_");
  expect((await stat(own.file)).mode & 0o777).toBe(0o600);
  expect(await Bun.file(own.file).text()).toContain("# keys\n");
  expect(await isAccepted(written)).toBe(true);

  const again = await own.text("--redirect-uri https://desk.example/cb --debug");
  expect(again).toMatchObject({ exitCode: 0 });
  expect(again.stdout).toContain("https://desk.example/cb");
  expect(again.stderr).toContain(`POST /v4/platform/provisioning/idp-apps clientId=${written.id}`);
  expect(again.stdout + again.stderr).not.toContain("svcs_");
  expect(await own.variables()).toEqual(written);
});

test("registers where users return to after a sign-out, and keeps it", async () => {
  const own = await project();
  const [first, second] = ["https://desk.example/bye", "https://desk.example/later"];
  const made = await own.json(
    `--post-logout-redirect-uri ${first} --post-logout-redirect-uri ${second}`,
  );
  expect(made).toMatchObject({
    exitCode: 0,
    json: { created: true, postLogoutRedirectUris: [first, second] },
  });
  const kept = await own.json();
  expect(kept.json).toMatchObject({ created: false, postLogoutRedirectUris: [first, second] });
  const changed = await own.json(`--post-logout-redirect-uri ${second}`);
  expect(changed.json).toMatchObject({ postLogoutRedirectUris: [second] });
  const refused = await own.json("--post-logout-redirect-uri http://desk.example/bye");
  expect(refused).toMatchObject({ exitCode: 2, json: { error: { code: "E302" } } });
  const rotated = await own.text(`--rotate-secret --post-logout-redirect-uri ${first}`);
  expect(rotated.exitCode).toBe(2);
});

test("rotates the secret, which the next call confirms", async () => {
  const own = await project();
  await own.text();
  const old = await own.variables();
  const rotated = await own.text("--rotate-secret");
  expect(rotated).toMatchObject({ exitCode: 0 });
  expect(rotated.stderr).toContain("The old secret still works");
  const next = await own.variables();
  expect(next.id).toBe(old.id);
  expect(next.secret).not.toBe(old.secret);
  expect([await isAccepted(old), await isAccepted(next)]).toEqual([true, true]);
  expect(await own.json()).toMatchObject({ exitCode: 0, json: { rotationPending: false } });
  expect([await isAccepted(old), await isAccepted(next)]).toEqual([false, true]);
});

test("deauthorizes with --force only, and can keep the registration", async () => {
  const own = await project();
  await own.text();
  const written = await own.variables();
  expect(await own.text("--deauthorize")).toMatchObject({ exitCode: 2, stdout: "" });
  expect(await own.json("--deauthorize --force --keep-registration")).toMatchObject({
    exitCode: 0,
    json: { clientId: written.id, status: "deauthorized" },
  });
  expect(await isAccepted(written)).toBe(false);
  expect(await own.variables()).toEqual(written);
  expect(await own.json()).toMatchObject({ exitCode: 0, json: { status: "active" } });
  expect(await isAccepted(written)).toBe(true);
  const ended = await own.text("--deauthorize --force");
  expect(ended.stdout).toMatch(/status +deleted/);
  expect(await own.variables()).toEqual({ id: undefined, secret: undefined, issuer: undefined });
  expect(await isAccepted(written)).toBe(false);
});

test("registers again in place of a client that is gone, with --force", async () => {
  const own = await project();
  await own.text();
  const lost = await own.variables();
  await the()
    .platform.as("tenant-admin")
    .delete(`/v4/platform/provisioning/idp-apps/${lost.id}`, {
      headers: { "x-tenant-id": the().platform.workspaces.tenant },
    });
  const refused = await own.text();
  expect(refused).toMatchObject({ exitCode: 1, stdout: "" });
  expect(refused.stderr).toContain("svc provision entra --force");
  expect(await own.text("--force")).toMatchObject({ exitCode: 0 });
  const found = await own.variables();
  expect(found.id).not.toBe(lost.id);
  expect(await isAccepted(found)).toBe(true);
});

test("says how to get a secret that this project does not have", async () => {
  const own = await project();
  await own.text();
  await Bun.write(own.file, `SVC_APP_KEY=${own.key}\n`);
  const found = await own.text();
  expect(found).toMatchObject({ exitCode: 0 });
  expect(found.stderr).toContain("svc provision entra --rotate-secret");
  await own.text("--rotate-secret");
  expect(await isAccepted(await own.variables())).toBe(true);
});

test("refuses wrong words before any request", async () => {
  const own = await project();
  await own.text();
  const wrong = [
    "--rotate-secret --deauthorize --force",
    "--keep-registration",
    "--client-id 01900000-0000-7000-8000-000000000001",
    "--redirect-uri https://a.example --rotate-secret",
  ];
  for (const words of wrong) {
    const called = await own.json(words);
    expect(called, words).toMatchObject({ exitCode: 2, json: { error: { exitCode: 2 } } });
  }
  const bare = { currentDirectory: await temporaryDirectory("no-project") };
  expect(await the().json("provision entra", bare)).toMatchObject({
    exitCode: 1,
    json: { error: { code: "E001" } },
  });
});
