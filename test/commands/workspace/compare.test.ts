import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { cheapenPassphrases } from "#test/support/cheap-passphrases.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { commandWorld } from "../world.ts";

const the = commandWorld();
cheapenPassphrases();

async function exported(...words: readonly string[]): Promise<string> {
  const path = join(await temporaryDirectory("archive"), "tenant.svcarchive");
  const saved = await the().json(["workspace", "export", "--output", path, ...words]);
  expect(saved, saved.stderr).toMatchObject({ exitCode: 0, json: { output: path } });
  return path;
}

test("export saves a file that compare reads, and finds a flipped bit in", async () => {
  const path = await exported("--groups", "types,members");
  const same = await the().json(["workspace", "compare", path, path]);
  expect(same, same.stderr).toMatchObject({ exitCode: 0, json: { equal: true } });
  const bytes = await readFile(path);
  const at = Math.floor(bytes.byteLength / 2);
  bytes[at] = (bytes[at] ?? 0) ^ 4;
  await writeFile(path, bytes);
  const damaged = await the().json(["workspace", "compare", path, path]);
  expect(damaged).toMatchObject({ exitCode: 2, json: { error: { code: "E305" } } });
  expect(damaged.stdout).toContain("is not a sound archive");
});

test("compare shows what has changed since an archive", async () => {
  const path = await exported();
  const type = { name: "Elm", slug: "elm", properties: { height: { type: "number" } } };
  const { platform } = the();
  const headers = { "x-tenant-id": platform.workspaces.tenant };
  const types = "/v4/data/resources/object-types";
  await platform.as("tenant-builder").post(types, type, { headers });
  const changed = await the().svc(["workspace", "compare", path, "tenant"]);
  expect(changed.exitCode).toBe(1);
  expect(changed.stdout).toContain("object-types: different");
  expect(changed.stdout).toContain("records/elm: missing");
});

test("an interrupted compare leaves no archive", async () => {
  const { platform } = the();
  const archives = `/v4/platform/tenants/${platform.workspaces.tenant}/archives`;
  const aborter = new AbortController();
  let made = "";
  const stopped = await the().svc("workspace compare tenant tenant", {
    signal: aborter.signal,
    async fetch(request) {
      const response = await platform.platform.fetch(request);
      if (request.method !== "POST") return response;
      made = String(((await response.clone().json()) as { id: unknown }).id);
      aborter.abort();
      return response;
    },
  });
  expect(stopped.exitCode).toBe(130);
  const { status } = await platform.as("tenant-admin").get(`${archives}/${made}`);
  expect([made, status]).toEqual([expect.stringMatching(/^[\da-f-]{36}$/), 404]);
});

describe("an encrypted archive", () => {
  let folder: string;
  let path: string;

  beforeAll(async () => {
    folder = await temporaryDirectory("passphrase");
    await writeFile(join(folder, "secret.txt"), "correct horse battery staple\n");
    await writeFile(join(folder, "wrong.txt"), "another\n");
    const secret = join(folder, "secret.txt");
    path = await exported("--groups", "members", "--passphrase-file", secret);
  });

  const imported = (...words: readonly string[]) =>
    the().json(["workspace", "import", path, ...words]);

  test("is imported with its passphrase", async () => {
    expect((await readFile(path)).toString("latin1")).toMatch(/^age-encryption\.org\/v1/);
    const done = await imported("--passphrase-file", join(folder, "secret.txt"));
    const members = expect.arrayContaining([expect.any(Object)]);
    expect(done, done.stderr).toMatchObject({ exitCode: 0, json: { members } });
  });

  test("is refused without it, and with another one", async () => {
    const without = await imported();
    expect(without).toMatchObject({ exitCode: 2, json: { error: { code: "E305" } } });
    expect(without.stdout).toContain("is encrypted");
    const refused = await imported("--passphrase-file", join(folder, "wrong.txt"));
    expect(refused.stdout).toContain("the passphrase is wrong");
  });
});

test("export needs an admin, and import names what it cannot read", async () => {
  const path = join(await temporaryDirectory("archive"), "plan.txt");
  await writeFile(path, "no archive");
  const staff = { as: "tenant-staff" } as const;
  const refused = await the().json(["workspace", "export", "--output", path], staff);
  expect(refused).toMatchObject({ exitCode: 1, json: { error: { code: "E204" } } });
  const wrong = await the().svc(["workspace", "import", path]);
  expect(wrong.exitCode).toBe(1);
  expect(wrong.stdout).toContain("cannot be imported");
  const group = await the().json("workspace export --output x --groups passwords");
  expect(group).toMatchObject({ exitCode: 2 });
});
