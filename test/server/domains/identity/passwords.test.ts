import { describe, expect, test, vi } from "vitest";
import { Passwords } from "#server/domains/identity/passwords.ts";

const password = "correct horse battery staple";

describe("hashing", () => {
  test("runs two at a time, also when a new one comes as another ends", async () => {
    const begun: PromiseWithResolvers<string>[] = [];
    const hash = vi.spyOn(Bun.password, "hash").mockImplementation(() => {
      const work = Promise.withResolvers<string>();
      begun.push(work);
      return work.promise;
    });
    const passwords = new Passwords();
    const all = ["first", "second", "third"].map((word) => passwords.hash(word));
    const another = all[0]?.then(() => passwords.hash("fourth"));
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

describe("checking", () => {
  test("works again after the hash for unknown accounts failed", async () => {
    const real = await Bun.password.hash(password, { algorithm: "bcrypt", cost: 4 });
    const hash = vi.spyOn(Bun.password, "hash").mockRejectedValueOnce(new Error("out of memory"));
    const passwords = new Passwords();
    expect(await passwords.verify(password, real)).toBe(true);
    expect(await passwords.verify(password, null)).toBe(false);
    hash.mockRestore();
  });
});
