import { describe, it } from "vitest";
import { openFake } from "../support/open-fake.ts";
import { expectHarmless, poisons, wide } from "../support/hostile-walk.ts";

describe.each(poisons)("control sequences in answers: %s", (poison) => {
  it.concurrent.each([
    ["an expired token", { expired: true }, "d", "WDJB-MJHT"],
    ["a platform that only answers", { signedIn: false }, "d", "WDJB-MJHT"],
    ["a sign-in with the browser", { signedIn: false }, "b", "https://sign.in/authorize"],
  ] as const)("do nothing in sign-in after %s", async (what, wish, key, shown) => {
    await using terminal = openFake({ poison, ...wish }, wide);
    await terminal.waitFor("sign in with the browser");
    await terminal.waitForQuiet(300);
    expectHarmless(terminal, what);
    terminal.write(key);
    await terminal.waitFor(shown);
    await terminal.waitForQuiet(200);
    expectHarmless(terminal, `${what}, after the sign-in`);
  });
});
