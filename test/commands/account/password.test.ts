import { describe, expect, test } from "vitest";
import { commandWorld } from "../world.ts";

const the = commandWorld();
const present = "a long enough passphrase";

describe("account", () => {
  test("password reads two lines from stdin, and shows neither", async () => {
    const { platform, users } = the().platform;
    const { oid } = users["tenant-staff"];
    await platform.services.signIn.setPassword(oid, present);
    const settings = { as: "tenant-staff" } as const;
    const run = (stdin: string) => the().svc("account password", { ...settings, stdin });
    const wrong = await run("not the password\nanother passphrase\n");
    expect(wrong).toMatchObject({ exitCode: 1, stdout: "" });
    expect(wrong.stderr).toContain("currentPassword");
    const changed = await run(`${present}\nanother passphrase\n`);
    expect(changed).toMatchObject({
      exitCode: 0,
      stdout: "Changed the password; other sessions ended: 0\n",
    });
    expect(wrong.stderr + changed.stderr).not.toContain("passphrase");
    expect((await run("one line\n")).stderr).toContain("must have two lines");
    const typed = await the().svc("account password", { ...settings, terminal: 80 });
    expect(typed.exitCode).toBe(2);
  });

  test("refuses wrong words before any request", async () => {
    const wrong = [
      "account sign-out",
      "account sign-out 01890000-0000-7000-8000-000000000000 --all --force",
    ];
    for (const words of wrong) {
      const called = await the().json(words, { as: "anonymous" });
      expect(called, words).toMatchObject({ exitCode: 2, json: { error: { exitCode: 2 } } });
    }
  });
});
