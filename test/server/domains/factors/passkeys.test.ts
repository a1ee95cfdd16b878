import { expect, test } from "vitest";
import { describePlatform, field, type TestPlatform } from "#test/support/platform.ts";
import type { Person } from "../members/world.ts";
import { authorizeAddress, FormBrowser, type Visited } from "../sign-in/form-browser.ts";
import { codeOf } from "./app-codes.ts";
import { optionsIn, PasskeyDevice, type DeviceSettings } from "./passkey-device.ts";
import { newPerson, password } from "./world.ts";

const origin = "http://localhost:4400";
const pagePath = "/auth/factors";
const path = "/v4/identity/me/factors";

const device = (settings: Partial<DeviceSettings> = {}): PasskeyDevice =>
  new PasskeyDevice({ origin, ...settings });

interface Answer {
  readonly id: string;
  readonly response: Record<string, string>;
}

/** A browser that is signed in with the password at the page of second factors. */
async function atFactors(the: TestPlatform, email: string): Promise<FormBrowser> {
  const browser = new FormBrowser(origin, (request) => the.platform.fetch(request));
  await browser.visit(pagePath);
  await browser.press("sign-in", { email, password });
  return browser;
}

async function sendCreated(browser: FormBrowser, made: PasskeyDevice): Promise<Visited> {
  const { html } = await browser.visit(`${pagePath}?add=passkey`);
  const credential = made.create(optionsIn(html));
  return browser.press("add-passkey", { credential, name: "Laptop" });
}

/** A person with a passkey on this device, and the page that showed the recovery codes. */
async function withPasskey(
  the: TestPlatform,
  made: PasskeyDevice,
): Promise<{ readonly person: Person; readonly codes: Visited }> {
  const person = await newPerson(the);
  const browser = await atFactors(the, person.email);
  return { person, codes: await sendCreated(browser, made) };
}

async function enteredPassword(the: TestPlatform, email: string): Promise<FormBrowser> {
  const browser = new FormBrowser(origin, (request) => the.platform.fetch(request));
  await browser.visit(authorizeAddress());
  await browser.press("sign-in", { email, password });
  return browser;
}

describePlatform(
  "a passkey",
  (the) => {
    test("is added in a browser, gives recovery codes, and signs in after the password", async () => {
      const key = device();
      const { person, codes } = await withPasskey(the(), key);
      expect(codes).toMatchObject({ status: 200, title: "Recovery codes" });
      expect(codes.text.match(/\b[a-z2-9]{5}-[a-z2-9]{5}-[a-z2-9]{5}\b/g)).toHaveLength(10);
      expect((await person.call.get(path)).json).toMatchObject({
        items: [{ kind: "passkey", name: "Laptop", host: "localhost", status: "active" }],
        recoveryCodesLeft: 10,
      });
      const browser = await enteredPassword(the(), person.email);
      expect(browser.page.title).toBe("Second factor");
      const policy = browser.page.headers.get("content-security-policy") ?? "";
      const [, script = ""] = /<script>(.*)<\/script>/s.exec(browser.page.html) ?? [];
      const digest = Bun.CryptoHasher.hash("sha256", script, "base64");
      expect(policy).toContain(`script-src 'sha256-${digest}';`);
      const credential = key.get(optionsIn(browser.page.html));
      const signedIn = await browser.press("show-passkey", { credential });
      expect(signedIn.left?.searchParams.get("code")).toBeTruthy();
      expect((await person.call.get(path)).json).toMatchObject({
        items: [{ lastUsedAt: expect.any(String) }],
      });
    });

    test("answers a challenge once, also when it does not count", async () => {
      const key = device({ countsNothing: true });
      const { person } = await withPasskey(the(), key);
      const browser = await enteredPassword(the(), person.email);
      const credential = key.get(optionsIn(browser.page.html));
      const other = await enteredPassword(the(), person.email);
      const both = await Promise.all(
        [browser, other].map((each) => each.press("show-passkey", { credential })),
      );
      expect(both.map(({ status }) => String(status)).toSorted()).toEqual(["303", "401"]);
      const third = await enteredPassword(the(), person.email);
      expect((await third.press("show-passkey", { credential })).status).toBe(401);
    });

    test("with one changed bit never signs in, and damaged answers are refused", async () => {
      const key = device({ countsNothing: true });
      const { person } = await withPasskey(the(), key);
      const browser = await enteredPassword(the(), person.email);
      const send = async (credential: string): Promise<number> =>
        (await browser.press("show-passkey", { credential })).status;
      const parts = ["authenticatorData", "clientDataJSON", "signature"] as const;
      for (let n = 0; n < 24; n += 1) {
        const valid = JSON.parse(key.get(optionsIn(browser.page.html))) as Answer;
        const part = parts[n % 3] ?? "signature";
        const bytes = Buffer.from(valid.response[part] ?? "", "base64url");
        const at = (n * 13) % bytes.byteLength;
        bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << (n % 8)), at);
        valid.response[part] = bytes.toString("base64url");
        expect(await send(JSON.stringify(valid)), `${part} ${at}`).toBe(401);
      }
      const { id } = JSON.parse(key.get(optionsIn(browser.page.html))) as Answer;
      const shape = { id, rawId: id, type: "public-key", clientExtensionResults: {} };
      for (const response of [
        { clientDataJSON: "", authenticatorData: "", signature: "" },
        { clientDataJSON: "e30", authenticatorData: "AAAA", signature: "AAAA" },
      ]) {
        expect(await send(JSON.stringify({ ...shape, response }))).toBe(401);
      }
      expect(await send("[".repeat(4_000))).toBe(401);
      const own = await atFactors(the(), (await newPerson(the())).email);
      for (const attestationObject of ["", "oA", "v2Fh", "o2NmbXRkbm9uZQ"]) {
        const response = { clientDataJSON: "e30", attestationObject };
        await own.visit(`${pagePath}?add=passkey`);
        const credential = JSON.stringify({ ...shape, response });
        expect((await own.press("add-passkey", { credential })).status).toBe(422);
      }
    });

    test("that counts back is a copy, and is refused", async () => {
      const key = device();
      const { person } = await withPasskey(the(), key);
      key.counter = 7;
      const browser = await enteredPassword(the(), person.email);
      const first = key.get(optionsIn(browser.page.html));
      expect((await browser.press("show-passkey", { credential: first })).status).toBe(303);
      key.counter = 6;
      const copy = await enteredPassword(the(), person.email);
      const second = key.get(optionsIn(copy.page.html));
      const refused = await copy.press("show-passkey", { credential: second });
      expect(refused.status).toBe(401);
      expect(refused.text).toContain("The passkey did not sign you in");
    });

    test("of another origin, host, user, purpose or without its user is refused", async () => {
      const key = device();
      const { person } = await withPasskey(the(), key);
      const { person: other } = await withPasskey(the(), device());
      const attempt = async (make: (options: string) => string, who = person): Promise<number> => {
        const browser = await enteredPassword(the(), who.email);
        const credential = make(optionsIn(browser.page.html));
        return (await browser.press("show-passkey", { credential })).status;
      };
      const changed = (settings: Partial<DeviceSettings>) => (options: string) => {
        Object.assign(key, { settings: { origin, ...settings } });
        const credential = key.get(options);
        Object.assign(key, { settings: { origin } });
        return credential;
      };
      expect(await attempt(changed({ origin: "http://evil.localhost:4400" }))).toBe(401);
      expect(await attempt(changed({ isUnverified: true }))).toBe(401);
      expect(await attempt((options) => key.get(options, "evil.test"))).toBe(401);
      expect(await attempt((options) => key.get(options), other)).toBe(401);
      expect(await attempt(() => key.get('{"challenge":"AAAA","rpId":"localhost"}'))).toBe(401);
      expect(await attempt(() => "")).toBe(401);
      expect(await attempt(() => '{"id":1}')).toBe(401);
      const browser = await atFactors(the(), (await newPerson(the())).email);
      const { html } = await browser.visit(`${pagePath}?add=passkey`);
      expect(await attempt(() => key.get(optionsIn(html)))).toBe(401);
      expect(await attempt((options) => key.get(options))).toBe(303);
    });

    test("is not added for another origin, without its user, twice, or from an old page", async () => {
      const key = device();
      const person = await newPerson(the());
      const browser = await atFactors(the(), person.email);
      const foreign = await sendCreated(browser, device({ origin: "http://evil.localhost:4400" }));
      expect(foreign.status).toBe(422);
      expect((await sendCreated(browser, device({ isUnverified: true }))).status).toBe(422);
      expect((await browser.press("add-passkey", { credential: "" })).status).toBe(422);
      expect((await person.call.get(path)).json).toMatchObject({ items: [] });
      const { html } = await browser.visit(`${pagePath}?add=passkey`);
      the().advance(5 * 60 * 1000 + 1000);
      const late = await browser.press("add-passkey", { credential: key.create(optionsIn(html)) });
      expect(late.status).toBe(422);
      expect((await sendCreated(browser, key)).title).toBe("Recovery codes");
      const twice = await sendCreated(browser, key);
      expect(twice).toMatchObject({ status: 409 });
      expect(twice.text).toContain("an account has it already");
    });

    test("the page needs a sign-in of the last ten minutes, and removes and renews", async () => {
      const { person } = await withPasskey(the(), device());
      const browser = new FormBrowser(origin, (request) => the().platform.fetch(request));
      expect((await browser.visit(pagePath)).title).toBe("Sign in");
      const other = await newPerson(the());
      const own = await atFactors(the(), other.email);
      await own.visit(pagePath);
      const list = (await person.call.get(path)).json;
      const [foreign] = field(list, "items") as { factorId: string }[];
      await sendCreated(own, device());
      await own.visit(pagePath);
      const refused = await own.press("remove", { factor: foreign?.factorId ?? "" });
      expect(refused).toMatchObject({ status: 409 });
      await own.visit(pagePath);
      expect((await own.press("renew-codes")).title).toBe("Recovery codes");
      await own.visit(pagePath);
      the().advance(10 * 60 * 1000 + 1000);
      expect((await own.press("remove")).title).toBe("Sign in");
      expect((await other.call.get(path)).json).toMatchObject({ items: [{ kind: "passkey" }] });
    });

    test("changes on the page are in the audit log with their user, failed tries are refused ones", async () => {
      const key = device();
      const { person } = await withPasskey(the(), key);
      const browser = await enteredPassword(the(), person.email);
      await browser.press("show-passkey", { credential: "x" });
      const credential = key.get(optionsIn(browser.page.html));
      await browser.press("show-passkey", { credential });
      await browser.visit(pagePath);
      await browser.press("remove");
      await expect
        .poll(async () => {
          const log = await the().as("system-admin").get("/v4/platform/audit?limit=100");
          const entries = (field(log.json, "items") ?? []) as Record<string, unknown>[];
          return entries
            .filter(({ actor }) => actor === person.oid)
            .map(({ action, outcome }) => `${String(action)} ${String(outcome)}`)
            .toSorted();
        })
        .toEqual([
          "auth.oauth2.v2.0.authorize done",
          "auth.oauth2.v2.0.authorize refused",
          "factors.addPasskey done",
          "factors.remove done",
        ]);
    });
  },
  { options: { baseUrl: origin } },
);

describePlatform("passkeys at an address without a name", (the) => {
  test("are not offered, and an app is added on the page instead", async () => {
    const person = await newPerson(the());
    const browser = new FormBrowser(the().baseUrl, (request) => the().platform.fetch(request));
    await browser.visit(pagePath);
    await browser.press("sign-in", { email: person.email, password });
    await browser.visit(pagePath);
    expect(browser.page.text).toContain("Passkeys need an address with a name");
    expect((await browser.visit(`${pagePath}?add=passkey`)).status).toBe(303);
    await browser.visit(pagePath);
    const app = await browser.press("add-app");
    expect(app.title).toBe("Add an app");
    expect(app.html).toContain("<svg");
    const wrong = await browser.press("confirm-new-app", { code: "000000" });
    expect(wrong.status).toBe(422);
    const [, secret = ""] = /class="secret">([^<]+)</.exec(wrong.html) ?? [];
    const code = codeOf(secret.replaceAll(" ", ""), the().now());
    expect((await browser.press("confirm-new-app", { code })).title).toBe("Recovery codes");
    const after = await browser.visit(pagePath);
    expect(after.text).toContain("Recovery codes left: 10");
  });
});

let address = origin;
describePlatform(
  "a platform with two addresses",
  (the) => {
    test("names the host of a passkey where it cannot be used, and asks for a code", async () => {
      address = origin;
      const { person, codes } = await withPasskey(the(), device());
      address = "http://127.0.0.1:4400";
      const browser = new FormBrowser(address, (request) => the().platform.fetch(request));
      await browser.visit(authorizeAddress());
      const page = await browser.press("sign-in", { email: person.email, password });
      expect(page.text).toContain("Your passkey works at localhost only");
      expect(page.html).not.toContain("data-passkey");
      const [code = ""] = /[a-z2-9]{5}-[a-z2-9]{5}-[a-z2-9]{5}/.exec(codes.text) ?? [];
      expect((await browser.press("show-code", { code })).status).toBe(303);
    });
  },
  { options: { baseUrl: () => address } },
);
