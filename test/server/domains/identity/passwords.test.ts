import { Refusal } from "#contract/problems.ts";
import { describe, expect, test, vi } from "vitest";
import { Passwords } from "#server/domains/identity/passwords.ts";
import { eventually } from "#test/support/eventually.ts";

const password = "correct horse battery staple";

describe("hashing", () => {
  test("has the cost that OWASP recommends for Argon2id", async () => {
    const hash = vi.spyOn(Bun.password, "hash").mockResolvedValue("hash");
    await new Passwords().hash(password, "one");
    const cost = { algorithm: "argon2id", memoryCost: 19_456, timeCost: 2 };
    expect(hash.mock.calls).toEqual([[password, cost]]);
    hash.mockRestore();
  });

  test("runs two at a time, also when a new one comes as another ends", async () => {
    const begun: PromiseWithResolvers<string>[] = [];
    const hash = vi.spyOn(Bun.password, "hash").mockImplementation(() => {
      const work = Promise.withResolvers<string>();
      begun.push(work);
      return work.promise;
    });
    const passwords = new Passwords();
    const all = ["first", "second", "third"].map((word) => passwords.hash(word, "one"));
    const another = all[0]?.then(() => passwords.hash("fourth", "one"));
    await Bun.sleep(0);
    expect(begun).toHaveLength(2);
    begun[0]?.resolve("hash");
    await all[0];
    await Bun.sleep(0);
    expect(begun).toHaveLength(3);
    begun[1]?.resolve("hash");
    begun[2]?.resolve("hash");
    await Promise.all(all);
    await Bun.sleep(0);
    begun[3]?.resolve("hash");
    expect(await another).toBe("hash");
    hash.mockRestore();
  });
});

describe("a burst from one address", () => {
  test("delays another address by one hash, and is refused beyond its queue", async () => {
    const begun: { readonly work: PromiseWithResolvers<boolean>; readonly word: unknown }[] = [];
    const check = vi.spyOn(Bun.password, "verify").mockImplementation((word) => {
      const work = Promise.withResolvers<boolean>();
      begun.push({ work, word });
      return work.promise;
    });
    const passwords = new Passwords();
    const real = await Bun.password.hash(password, { algorithm: "bcrypt", cost: 4 });
    const burst = Array.from({ length: 100 }, (_, index) =>
      passwords.verify(`burst ${index}`, real, "192.0.2.1").catch((error: unknown) => error),
    );
    const other = passwords.verify("other", real, "192.0.2.2");
    await eventually(() => expect(begun).toHaveLength(2));
    begun[0]?.work.resolve(false);
    begun[1]?.work.resolve(false);
    await eventually(() => expect(begun).toHaveLength(4));
    expect(begun.map(({ word }) => word)).toContain("other");
    for (let index = 0; index < 19; index += 1) {
      await eventually(() => expect(begun.length).toBeGreaterThan(index));
      begun[index]?.work.resolve(true);
    }
    expect(await other).toBe(true);
    const outcomes = await Promise.all(burst);
    expect(outcomes.filter((outcome) => outcome instanceof Refusal)).toHaveLength(82);
    check.mockRestore();
  });
});

describe("checking", () => {
  test("works again after the hash for unknown accounts failed", async () => {
    const real = await Bun.password.hash(password, { algorithm: "bcrypt", cost: 4 });
    const hash = vi.spyOn(Bun.password, "hash").mockRejectedValueOnce(new Error("out of memory"));
    const passwords = new Passwords();
    expect(await passwords.verify(password, real, "one")).toBe(true);
    expect(await passwords.verify(password, null, "one")).toBe(false);
    hash.mockRestore();
  });
});
