import { describe, expect, test } from "vitest";
import { field } from "#test/support/platform.ts";
import { commandWorld } from "../world.ts";

const the = commandWorld();

describe("key", () => {
  test("create shows a token once, which a script sends as SVC_TOKEN until it is revoked", async () => {
    const words = [
      "key",
      "create",
      "Nightly import",
      "--role",
      "tenant-staff",
      "--expires-in",
      "90d",
    ];
    const created = await the().json(words);
    expect(created).toMatchObject({ exitCode: 0, json: { key: { name: "Nightly import" } } });
    const token = String(field(created.json, "token"));
    const id = String(field(field(created.json, "key"), "keyId"));
    const asScript = { as: "anonymous", variables: { SVC_TOKEN: token } } as const;
    const list = await the().svc("user list", asScript);
    expect(list).toMatchObject({ exitCode: 0 });
    expect(list.stdout).toContain("tenant-viewer@example.org");
    expect((await the().json("workspace list --all", asScript)).json).toMatchObject({
      items: [{ slug: "tenant", role: "tenant-staff" }],
    });
    const refused = await the().svc("key list", asScript);
    expect(refused).toMatchObject({ exitCode: 1, stdout: "" });
    expect(refused.stderr).toContain("needs tenant-admin; you are tenant-staff");
    expect(refused.stderr).not.toContain(token);

    const listed = await the().svc("key list");
    expect(listed.stdout).toMatch(/Nightly import +tenant-staff +active/);
    expect(listed.stdout).not.toContain("svc_");
    const changed = await the().svc(`key role ${id} --role tenant-viewer`);
    expect(changed.stdout).toContain("tenant-viewer");
    expect(await the().svc(`key revoke ${id}`)).toMatchObject({ exitCode: 2 });
    expect(await the().svc(`key revoke ${id} --force`)).toMatchObject({
      exitCode: 0,
      stdout: `Revoked the key ${id}\n`,
    });
    expect(await the().svc("user list", asScript)).toMatchObject({ exitCode: 4, stdout: "" });
  });

  test("create prints the token as text with a note on stderr", async () => {
    const { exitCode, stdout, stderr } = await the().svc("key create Reader --role tenant-viewer");
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/token +svc_[\w-]{43}\n/);
    expect(stderr).toContain("shown this once");
  });

  test("refuses wrong words before any request", async () => {
    const wrong = [
      "key create Import",
      "key create Import --role king",
      "key create Import --role tenant-staff --role-definition-id x",
      "key create Import --role tenant-staff --expires-in soon",
      "key create Import --role tenant-staff --expires-in 0d",
      "key create Import --role tenant-staff --workspaces here",
      "key role 01890000-0000-7000-8000-000000000000",
    ];
    for (const words of wrong) {
      const called = await the().json(words, { as: "anonymous" });
      expect(called, words).toMatchObject({ exitCode: 2, json: { error: { exitCode: 2 } } });
    }
  });
});
