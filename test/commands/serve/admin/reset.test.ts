import { describe, expect, test } from "vitest";
import { createPlatform } from "#server/platform.ts";
import { caller, field, testBaseUrl } from "#test/support/platform.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { runCommand } from "../../world.ts";

const email = "admin@localhost";
const former = "the password that I forgot";
const address = "test";

const openPlatform = (dataDirectory: string) =>
  createPlatform({
    dataDirectory,
    baseUrl: testBaseUrl,
    extractionCommand: [],
    logger: { info: () => {}, warn: () => {}, error: () => {} },
  });

describe("serve.resetAdministrator", () => {
  test("lets the administrator in again, whether the platform runs or not", async () => {
    const dataDirectory = await temporaryDirectory("platform");
    const words = ["serve", "admin", "reset", "--data-dir", dataDirectory, "--force"];
    const running = await openPlatform(dataDirectory);
    const { signIn } = running.services;
    try {
      const first = await running.issueFirstPassword();
      const begun = await signIn.signIn({
        email,
        password: first?.oneTimePassword ?? "",
        address,
      });
      if (begun.result !== "choose-password") throw new Error(begun.result);
      await signIn.choosePassword(begun.ticket, former);
      const { json, exitCode } = await runCommand([...words, "--format", "json"]);
      expect({ exitCode, json }).toMatchObject({ exitCode: 0, json: { email, removedFactors: 0 } });
      const password = String(field(json, "oneTimePassword"));
      const attempt = (tried: string) => signIn.signIn({ email, password: tried, address });
      expect(await attempt(former)).toEqual({ result: "wrong" });
      expect(await attempt(password)).toMatchObject({ result: "choose-password" });
    } finally {
      await running.close();
    }
    const shown = await runCommand(words);
    expect(shown).toMatchObject({ exitCode: 0 });
    expect(shown.stdout).toMatch(/one-time password +\S+/);
    const again = await openPlatform(dataDirectory);
    const { token } = await again.mintToken({ ttlMs: 60_000 });
    const call = caller((request) => again.fetch(request), token);
    const log = await call.get("/v4/platform/audit?action=serve.resetAdministrator");
    await again.close();
    const entry = { actorName: "operator", changes: { target: { email } } };
    expect(log.json).toMatchObject({ items: [entry, entry] });
  });

  test("asks first, and refuses a directory without platform data", async () => {
    const empty = await temporaryDirectory("nothing");
    const words = ["serve", "admin", "reset", "--data-dir", empty, "--format", "json"];
    expect(await runCommand(words)).toMatchObject({ json: { error: { code: "E303" } } });
    const refused = await runCommand([...words, "--force"]);
    expect(refused).toMatchObject({ exitCode: 1, json: { error: { code: "E202" } } });
  });
});
