import { describe, expect, test } from "vitest";
import { sealedKeyId, SealingKey } from "#server/domains/secrets/service.ts";

const key = new SealingKey(new Uint8Array(32).fill(7));

describe("a sealed text", () => {
  test("opens with its key and its name only", () => {
    const sealed = key.seal("one", "a secret ✓");
    expect(key.open("one", sealed)).toBe("a secret ✓");
    expect(key.seal("one", "a secret ✓")).not.toBe(sealed);
    expect(key.open("other", sealed)).toBeUndefined();
    expect(new SealingKey(new Uint8Array(32)).open("one", sealed)).toBeUndefined();
    expect(sealedKeyId(sealed)).toBe(key.id);
  });

  test("does not open after any change", () => {
    const sealed = key.seal("one", "a secret");
    const start = sealed.lastIndexOf(".") + 1;
    const bytes = Buffer.from(sealed.slice(start), "base64url");
    for (let at = 0; at < bytes.length; at += 1) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 1;
      const text = sealed.slice(0, start) + changed.toString("base64url");
      expect(key.open("one", text), `byte ${at}`).toBeUndefined();
    }
    for (const text of ["", "sealed1", `sealed1.${key.id}.`, `sealed1.${key.id}.AAAA`, "a.b.c"]) {
      expect(key.open("one", text)).toBeUndefined();
    }
  });
});
