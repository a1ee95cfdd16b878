import { describe, expect, test } from "vitest";
import { field } from "#test/support/platform.ts";
import { codeOf } from "#test/server/domains/factors/app-codes.ts";
import { commandWorld, runCommand } from "./world.ts";

const the = commandWorld();
const present = "a long enough passphrase";
const as = "tenant-staff" as const;

async function withPassword(): Promise<void> {
  const { platform, users } = the().platform;
  await platform.services.signIn.setPassword(users[as].oid, present);
}

describe("account factors", () => {
  test("an app is added and confirmed in two steps without a terminal", async () => {
    await withPassword();
    const call = (words: string, stdin = `${present}\n`) => the().json(words, { as, stdin });
    const empty = await the().svc("account factors list", { as });
    expect(empty.stderr).toContain("You have no second factor");
    const added = await call("account factors add --name Phone");
    expect(added.exitCode).toBe(0);
    const secret = String(field(added.json, "secret"));
    const id = String(field(field(added.json, "factor"), "factorId"));
    const text = await the().svc("account factors confirm x".replace("x", id), { as });
    expect(text).toMatchObject({ exitCode: 2, stdout: "" });
    expect(text.stderr).toContain(`svc account factors confirm ${id} <code of the app>`);
    const wrong = await call(`account factors confirm ${id} 000000`);
    expect(wrong).toMatchObject({ exitCode: 1, json: { error: { code: "E302" } } });
    const code = codeOf(secret, the().platform.now());
    const confirmed = await the().svc(`account factors confirm ${id} ${code}`, { as });
    expect(confirmed).toMatchObject({ exitCode: 0, stdout: "Added the second factor Phone\n" });
    expect(confirmed.stderr.match(/\b[a-z2-9]{5}-[a-z2-9]{5}-[a-z2-9]{5}\b/g)).toHaveLength(10);

    const list = await the().svc("account factors list", { as });
    expect(list.stdout).toMatch(/Phone +totp +active/);
    expect(list.stderr).toContain("Recovery codes left: 10");
    expect(list.stderr).toContain("http://platform.test/auth/factors");
    const second = await call("account factors add --name Tablet");
    const tablet = String(field(field(second.json, "factor"), "factorId"));
    const other = codeOf(String(field(second.json, "secret")), the().platform.now());
    const both = await the().svc(`account factors confirm ${tablet} ${other}`, { as });
    expect(both).toMatchObject({ exitCode: 0, stdout: "Added the second factor Tablet\n" });
    expect(both.stderr).not.toContain("Recovery codes");
    await call(`account factors remove ${tablet} --force`);
    const codes = await the().svc("account factors codes", { as, stdin: `${present}\n` });
    expect(codes.stdout.trimEnd().split("\n")).toHaveLength(10);
    const unsure = await call(`account factors remove ${id}`);
    expect(unsure).toMatchObject({ exitCode: 2, json: { error: { code: "E303" } } });
    const refused = await call(`account factors remove ${id} --force`, "not the password\n");
    expect(refused).toMatchObject({ exitCode: 1, json: { error: { code: "E302" } } });
    const removed = await call(`account factors remove ${id} --force`);
    expect(removed.json).toEqual({ factorId: id, status: "removed" });
  });

  test("on a terminal it shows a QR code, and three wrong codes name the next step", async () => {
    await withPassword();
    const stdin = `${present}\n000000\n000001\n000002\n`;
    const called = await the().svc("account factors add", { as, stdin, terminal: 80 });
    expect(called).toMatchObject({ exitCode: 1, stdout: "" });
    expect(called.stderr).toContain("▄");
    const lines = called.stderr.split("\n");
    expect(Math.max(...lines.map((line) => Bun.stringWidth(line)))).toBeLessThanOrEqual(80);
    expect(called.stderr).toMatch(/^[A-Z2-7]{32}$/m);
    expect(called.stderr.match(/This is not the code/g)).toHaveLength(3);
    expect(called.stderr).toMatch(/svc account factors confirm\s+[0-9a-f-]{36} <code>/);
    expect(called.stderr).not.toContain(present);
  });

  test("a reset is the right of the installation's administrator", async () => {
    const words = ["user", "reset-factors", "tenant-staff@example.org", "--force"];
    const refused = await the().json(words, { as: "tenant-admin" });
    expect(refused).toMatchObject({ exitCode: 1, json: { error: { code: "E204" } } });
    const unsure = await the().json(words.slice(0, 3), { as: "system-admin" });
    expect(unsure).toMatchObject({ exitCode: 2, json: { error: { code: "E303" } } });
    const reset = await the().svc(words, { as: "system-admin" });
    expect(reset.stdout).toBe("Second factors removed of tenant-staff@example.org: 0\n");
    expect((await the().svc("account factors list", { as })).exitCode).toBe(4);
  });

  test("the operator's token resets the administrator's own account, without a workspace", async () => {
    const { platform } = the().platform;
    const { token } = await platform.mintToken({ ttlMs: 60_000 });
    const called = await runCommand("user reset-factors --force", {
      token,
      fetch: (request) => platform.fetch(request),
    });
    expect(called).toMatchObject({
      exitCode: 0,
      stdout: "Second factors removed of yourself: 0\n",
    });
  });

  test("stdin must have the password as its only line", async () => {
    for (const stdin of ["", "one\ntwo\n"]) {
      const called = await the().svc("account factors codes", { as: "tenant-admin", stdin });
      expect(called).toMatchObject({ exitCode: 2, stdout: "" });
      expect(called.stderr).toContain("stdin must have one line");
    }
  });
});
