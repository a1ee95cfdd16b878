import { describe, expect, it } from "vitest";
import { initialData } from "#ui/kit/forms/form-model.ts";
import {
  sourceChanges,
  sourceCreation,
  sourceData,
  sourceFaults,
  sourceFields,
  sourceOptions,
} from "#ui/webhooks/source-form.ts";

const defaults = { ...initialData(sourceFields(true)), name: "GitHub" };
const stored = {
  source: "s",
  name: "GitHub",
  scheme: { type: "hmac", header: "x-signature", prefix: "v0=" },
  role: "tenant-staff" as const,
  mapping: ".body",
};

describe("the form of a source", () => {
  it("creates one that only keeps calls, unless a mapping was typed", () => {
    expect(sourceCreation(defaults)).toEqual({
      name: "GitHub",
      scheme: { type: "standard" },
      role: "tenant-staff",
      mapping: "empty",
    });
    expect(sourceCreation({ ...defaults, scheme: "token", header: "x-token" }).scheme).toEqual({
      type: "token",
      header: "x-token",
    });
  });

  it("refuses settings of other schemes and a short secret", () => {
    const pointers = (data: object) =>
      sourceFaults({ ...defaults, ...data }).map(({ pointer }) => pointer);
    expect(pointers({ header: "x-token" })).toEqual(["#/header"]);
    expect(pointers({ scheme: "hmac", publicKey: "whpk_" })).toEqual(["#/publicKey"]);
    expect(pointers({ secret: "short" })).toEqual(["#/secret"]);
  });

  it("keeps the prefix of a signature, which it does not show", () => {
    const before = sourceData(stored);
    const { prefix: _, ...shown } = before;
    expect(sourceChanges(before, { ...shown, mapping: "empty" })).toEqual({ mapping: "empty" });
    expect(sourceChanges(before, { ...shown, header: "x-other" }).scheme).toEqual({
      type: "hmac",
      header: "x-other",
      prefix: "v0=",
    });
  });

  it("has a command that reads the secret from its input", () => {
    expect(sourceOptions({ ...defaults, secret: "a secret of the sender" })).toEqual({
      scheme: "standard",
      role: "tenant-staff",
      mapping: "empty",
      secret: "-",
    });
    const before = sourceData(stored);
    expect(sourceOptions({ ...before, name: "Hub" }, before)).toEqual({ name: "Hub" });
  });
});
