import { readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { sqlitePath } from "#server/database/open.ts";
import { describePlatform, field, testBaseUrl, type TestPlatform } from "#test/support/platform.ts";
import { invite, newRoot } from "../members/world.ts";
import { FormBrowser } from "../sign-in/form-browser.ts";
import { codeOf } from "./app-codes.ts";
import { addApp, newPerson, password } from "./world.ts";

const openBrowser = (the: TestPlatform): FormBrowser =>
  new FormBrowser(testBaseUrl, (request) => the.platform.fetch(request));

describePlatform("a second factor in other sign-ins", (the) => {
  test("a machine without a browser is signed in after the code on another one", async () => {
    const person = await newPerson(the());
    const { secret } = await addApp(the(), person);
    const device = await the().platform.services.signIn.devices.begin("svc", "openid");
    const browser = openBrowser(the());
    await browser.visit(`/auth/device?user_code=${device.userCode}`);
    const asked = await browser.press("sign-in", { email: person.email, password });
    expect(asked.title).toBe("Second factor");
    const again = await browser.visit(`/auth/device?user_code=${device.userCode}`);
    expect(again.title).toBe("Sign in");
    await browser.press("sign-in", { email: person.email, password });
    const shown = await browser.press("show-code", { code: codeOf(secret, the().now()) });
    expect(shown.text).toContain(device.userCode);
    expect((await browser.press("approve")).title).toBe("The machine is signed in");
  });

  test("an invitation is joined with an existing account after its code", async () => {
    const person = await newPerson(the());
    const { secret } = await addApp(the(), person);
    const workspace = await newRoot(the());
    const invitation = await invite(the(), workspace, { email: person.email });
    const browser = openBrowser(the());
    await browser.visit(`/auth/invitation?secret=${invitation}&as=other`);
    await browser.press("sign-in", { email: person.email, password });
    const tenants = async (): Promise<string> =>
      (await person.call.get("/v4/identity/tenants")).text;
    expect(await tenants()).not.toContain(workspace);
    const joined = await browser.press("show-code", { code: codeOf(secret, the().now()) });
    expect(joined.title).toBe("Welcome");
    expect(await tenants()).toContain(workspace);
  });

  test("cancel ends the sign-in without a session", async () => {
    const person = await newPerson(the());
    await addApp(the(), person);
    const browser = openBrowser(the());
    await browser.visit("/auth/device");
    await browser.press("sign-in", { email: person.email, password });
    expect((await browser.press("cancel")).title).toBe("Nothing was changed");
    expect(browser.cookies.has("svc_session")).toBe(false);
  });

  test("the database and its files have no secret of an app and no recovery code", async () => {
    if (the().engine !== "sqlite") return;
    const person = await newPerson(the());
    const added = await person.call.post("/v4/identity/me/factors", { currentPassword: password });
    const pending = String(field(added.json, "secret"));
    const { secret, recoveryCodes } = await addApp(the(), person);
    const folder = dirname(sqlitePath(the().databaseUrl));
    const files = (await readdir(folder)).filter((name) => !name.endsWith(".key"));
    const texts = await Promise.all(
      files.map(async (name) => Buffer.from(await Bun.file(join(folder, name)).bytes())),
    );
    expect(texts.some((bytes) => bytes.includes(person.email))).toBe(true);
    const joined = (code: string): string => code.replaceAll("-", "");
    for (const hidden of [pending, secret, ...recoveryCodes, ...recoveryCodes.map(joined)]) {
      const forms = [Buffer.from(hidden), bytesOf(hidden), Buffer.from(base64url(hidden))];
      for (const form of forms) expect(texts.some((bytes) => bytes.includes(form))).toBe(false);
    }
  });
});

/** The bytes of a secret in Base32; a recovery code stays as it is. */
function bytesOf(secret: string): Buffer {
  const bits = Array.from(secret, (letter) => {
    const value = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(letter);
    return value < 0 ? "" : value.toString(2).padStart(5, "0");
  }).join("");
  const groups = bits.match(/.{8}/g) ?? [];
  if (groups.length < 8) return Buffer.from(secret);
  return Buffer.from(groups.map((group) => Number.parseInt(group, 2)));
}

function base64url(secret: string): string {
  return bytesOf(secret).toString("base64url");
}
