import { expect, test } from "vitest";
import { describePlatform, field } from "#test/support/platform.ts";
import { authorizeAddress } from "../sign-in/form-browser.ts";
import { text } from "../members/world.ts";
import { codeOf } from "./app-codes.ts";
import { addApp, enteredPassword, newPerson, password, recoveryCodesIn } from "./world.ts";

const path = "/v4/identity/me/factors";
const absent = "01900000-0000-7000-8000-00000000dead";

describePlatform("an app with codes", (the) => {
  test("is added with a password, counts after its first code, and gives recovery codes", async () => {
    const person = await newPerson(the());
    const none = await person.call.get(path);
    expect(none.json).toMatchObject({ items: [], recoveryCodesLeft: 0, required: false });
    const added = await person.call.post(path, { currentPassword: password, name: "Phone" });
    expect(added.status).toBe(201);
    const secret = text(added, "secret");
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(text(added, "uri")).toContain(`secret=${secret}&issuer=svc%20platform.test`);
    const id = String(field(field(added.json, "factor"), "factorId"));
    expect(
      (await enteredPassword(the(), person.email)).page.left?.searchParams.get("code"),
    ).toBeTruthy();

    const confirm = (code: string) => person.call.post(`${path}/${id}/confirm`, { code });
    const wrong = await confirm("000000");
    expect(wrong.json).toMatchObject({ status: 422, errors: [{ pointer: "#/code" }] });
    const code = codeOf(secret, the().now());
    const confirmed = await confirm(`${code.slice(0, 3)} ${code.slice(3)}`);
    expect(confirmed.json).toMatchObject({
      factor: { factorId: id, kind: "totp", name: "Phone", status: "active" },
    });
    const codes = recoveryCodesIn(confirmed);
    expect(new Set(codes).size).toBe(10);
    expect(codes[0]).toMatch(/^[a-z2-9]{5}-[a-z2-9]{5}-[a-z2-9]{5}$/);
    expect((await confirm(code)).status).toBe(404);
    const listed = await person.call.get(path);
    expect(listed.json).toMatchObject({
      items: [{ factorId: id, status: "active", lastUsedAt: expect.any(String) }],
      recoveryCodesLeft: 10,
    });
    expect(listed.text).not.toContain(secret);
  });

  test("is asked for after the password, and each code signs in once", async () => {
    const person = await newPerson(the());
    const { secret } = await addApp(the(), person);
    const { browser, page } = await enteredPassword(the(), person.email);
    expect(page).toMatchObject({ status: 200, title: "Second factor" });
    expect(page.left).toBeUndefined();
    expect(browser.cookies.has("svc_session")).toBe(false);
    const wrong = await browser.press("show-code", { code: "123456" });
    expect(wrong.status).toBe(401);
    expect(wrong.text).toContain("The code is not correct");
    const code = codeOf(secret, the().now());
    const signedIn = await browser.press("show-code", { code });
    expect(signedIn.left?.searchParams.get("code")).toBeTruthy();
    expect(browser.cookies.has("svc_session")).toBe(true);
    const again = await enteredPassword(the(), person.email);
    const replayed = await again.browser.press("show-code", { code });
    expect(replayed.status).toBe(401);
    the().advance(30_000);
    const next = codeOf(secret, the().now());
    expect((await again.browser.press("show-code", { code: next })).status).toBe(303);
  });

  test("one code sent by two browsers at once signs in one of them", async () => {
    const person = await newPerson(the());
    const { secret } = await addApp(the(), person);
    const both = [
      await enteredPassword(the(), person.email),
      await enteredPassword(the(), person.email),
    ];
    const code = codeOf(secret, the().now());
    const pages = await Promise.all(
      both.map(({ browser }) => browser.press("show-code", { code })),
    );
    expect(pages.map(({ status }) => String(status)).toSorted()).toEqual(["303", "401"]);
  });

  test("wrong codes make the next try wait, from every address, also with the right code", async () => {
    const person = await newPerson(the());
    const { secret } = await addApp(the(), person);
    const { browser } = await enteredPassword(the(), person.email);
    for (let n = 0; n < 5; n += 1) {
      expect((await browser.press("show-code", { code: `00000${n}` })).status).toBe(401);
    }
    const elsewhere = await enteredPassword(the(), person.email);
    const slowed = await elsewhere.browser.press("show-code", {
      code: codeOf(secret, the().now()),
    });
    expect(slowed.status).toBe(429);
    expect(slowed.headers.get("retry-after")).toBe("1");
    expect(slowed.text).toContain("Too many wrong codes. Wait 1 s");
    the().advance(30_000);
    const code = codeOf(secret, the().now());
    expect((await elsewhere.browser.press("show-code", { code })).status).toBe(303);
  });

  test("the step after the password needs its own proof, for ten minutes", async () => {
    const person = await newPerson(the());
    const { secret } = await addApp(the(), person);
    const { browser, page } = await enteredPassword(the(), person.email);
    const ticket = page.forms[0]?.hidden["ticket"] ?? "";
    const [, end, mac] = ticket.split(".");
    const { oid: other } = the().users["tenant-admin"];
    for (const forged of ["", `${other}.${end}.${mac}`, `${person.oid}.9999999999999.${mac}`]) {
      const refused = await browser.press("show-code", {
        ticket: forged,
        code: codeOf(secret, the().now()),
      });
      expect(refused).toMatchObject({ status: 401, title: "Sign in" });
      await browser.visit(authorizeAddress());
      await browser.press("sign-in", { email: person.email, password });
    }
    the().advance(10 * 60 * 1000 + 1000);
    const late = await browser.press("show-code", { code: codeOf(secret, the().now()) });
    expect(late.text).toContain("open for too long");
  });

  test("the first factor ends browser sessions that began with the password alone", async () => {
    const person = await newPerson(the());
    const { browser } = await enteredPassword(the(), person.email);
    expect((await browser.visit(authorizeAddress())).text).toContain("Continue as");
    await addApp(the(), person);
    expect((await browser.visit(authorizeAddress())).title).toBe("Sign in");
  });

  test("removal needs the password; the last one takes the recovery codes with it", async () => {
    const person = await newPerson(the());
    const { factorId, recoveryCodes } = await addApp(the(), person);
    const remove = (id: string, currentPassword: string) =>
      person.call.post(`${path}/${id}/remove`, { currentPassword });
    const wrong = await remove(factorId, "not the password");
    expect(wrong.json).toMatchObject({ status: 422, errors: [{ pointer: "#/currentPassword" }] });
    expect((await remove(absent, password)).status).toBe(404);
    const other = await newPerson(the());
    const foreign = await other.call.post(`${path}/${factorId}/remove`, {
      currentPassword: password,
    });
    expect(foreign.status).toBe(404);
    expect((await remove(factorId, password)).json).toEqual({ factorId, status: "removed" });
    expect((await person.call.get(path)).json).toMatchObject({ items: [], recoveryCodesLeft: 0 });
    expect((await enteredPassword(the(), person.email)).page.status).toBe(303);
    await addApp(the(), person);
    const { browser } = await enteredPassword(the(), person.email);
    expect((await browser.press("show-code", { code: recoveryCodes[0] ?? "" })).status).toBe(401);
  });

  test("a reset by the installation's administrator removes factors and ends tokens", async () => {
    const person = await newPerson(the());
    await addApp(the(), person);
    const reset = `/v4/platform/users/${person.oid}/reset-factors`;
    for (const user of ["tenant-admin", "outsider"] as const) {
      expect((await the().as(user).post(reset)).status).toBe(403);
    }
    expect((await the().as("nobody").post(reset)).status).toBe(401);
    const admin = the().as("system-admin");
    expect((await admin.post(`/v4/platform/users/${absent}/reset-factors`)).status).toBe(404);
    const done = await admin.post(reset);
    expect(done.json).toMatchObject({ oid: person.oid, status: "active", removedFactors: 1 });
    expect((await person.call.get(path)).status).toBe(401);
    expect((await enteredPassword(the(), person.email)).page.status).toBe(303);
  });

  test("every change is in the audit log, and no secret is", async () => {
    const person = await newPerson(the());
    const { factorId, secret, recoveryCodes } = await addApp(the(), person);
    const { browser } = await enteredPassword(the(), person.email);
    await browser.press("show-code", { code: recoveryCodes[0] ?? "" });
    const body = { currentPassword: password };
    await person.call.post("/v4/identity/me/recovery-codes", body);
    await person.call.post(`${path}/${factorId}/remove`, body);
    await the().as("system-admin").post(`/v4/platform/users/${person.oid}/reset-factors`);
    const log = await the().as("system-admin").get("/v4/platform/audit?limit=100");
    const entries = (field(log.json, "items") ?? []) as Record<string, unknown>[];
    const own = entries.filter(
      (entry) => entry["actor"] === person.oid || JSON.stringify(entry).includes(person.oid),
    );
    const actions = own.filter(({ outcome }) => outcome === "done").map(({ action }) => action);
    for (const action of [
      "factors.add",
      "factors.confirm",
      "factors.useRecoveryCode",
      "factors.renewCodes",
      "factors.remove",
      "members.resetFactors",
    ]) {
      expect(actions).toContain(action);
    }
    const reset = own.find(({ action }) => action === "members.resetFactors");
    expect(reset).toMatchObject({ changes: { after: { removedFactors: 0 } } });
    for (const hidden of [secret, password, ...recoveryCodes]) {
      expect(log.text + JSON.stringify(the().log)).not.toContain(hidden);
    }
  });
});
