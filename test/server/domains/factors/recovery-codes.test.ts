import { expect, test } from "vitest";
import { describePlatform } from "#test/support/platform.ts";
import { addApp, enteredPassword, newPerson, password, recoveryCodesIn } from "./world.ts";

const path = "/v4/identity/me/factors";

describePlatform("an app with codes", (the) => {
  test("a recovery code signs in once, in any case and grouping", async () => {
    const person = await newPerson(the());
    const { recoveryCodes } = await addApp(the(), person);
    const [first = ""] = recoveryCodes;
    const { browser } = await enteredPassword(the(), person.email);
    const typed = first.toUpperCase().replaceAll("-", " ");
    expect((await browser.press("show-code", { code: typed })).status).toBe(303);
    expect((await person.call.get(path)).json).toMatchObject({ recoveryCodesLeft: 9 });
    const again = await enteredPassword(the(), person.email);
    expect((await again.browser.press("show-code", { code: first })).status).toBe(401);
    const other = await newPerson(the());
    await addApp(the(), other);
    const stolen = await enteredPassword(the(), other.email);
    const [, second = ""] = recoveryCodes;
    expect((await stolen.browser.press("show-code", { code: second })).status).toBe(401);

    const renewed = await person.call.post("/v4/identity/me/recovery-codes", {
      currentPassword: password,
    });
    const fresh = recoveryCodesIn(renewed);
    expect(fresh).toHaveLength(10);
    expect(fresh).not.toContain(second);
    expect((await again.browser.press("show-code", { code: second })).status).toBe(401);
    expect((await again.browser.press("show-code", { code: fresh[9] ?? "" })).status).toBe(303);
  });
});
