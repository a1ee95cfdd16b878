import { expect, test } from "vitest";
import { Refusal } from "#contract/problems.ts";
import { HeldRoles } from "#server/domains/realtime/held-roles.ts";
import type { AccessPort, TokenPort } from "#server/work/ports.ts";

const viewer = { role: "tenant-viewer", name: "tenant-viewer", permissions: undefined } as const;
const workspace = { id: "one", ...viewer };

function rolesOf(given: Partial<TokenPort & AccessPort>) {
  let verified = 0;
  const tokens: TokenPort = {
    verify(token) {
      verified += 1;
      return (
        given.verify?.(token) ?? { oid: "o", email: "e", displayName: "d", systemAdmin: false }
      );
    },
  };
  const access: AccessPort = {
    heldIn: () => viewer,
    isChildOf: () => false,
    heldInDeletedToo: async () => viewer,
    ...given,
  };
  return { held: new HeldRoles({ tokens, access }), verified: () => verified };
}

test("a token is verified once for all its streams", async () => {
  const { held, verified } = rolesOf({});
  for (const _ of [1, 2, 3]) expect(await held.isSame("token", workspace)).toBe(true);
  expect(verified()).toBe(1);
});

test("an ended token, an ended role and another role end a stream", async () => {
  const ended = (): never => {
    throw new Refusal("token-invalid");
  };
  expect(await rolesOf({ verify: ended }).held.isSame("token", workspace)).toBe(false);
  expect(await rolesOf({ heldIn: () => undefined }).held.isSame("token", workspace)).toBe(false);
  const staff = { role: "tenant-staff", name: "tenant-staff", permissions: undefined } as const;
  expect(await rolesOf({ heldIn: () => staff }).held.isSame("token", workspace)).toBe(false);
});

test("a role of the workspace that loses or gains a permission ends its streams", async () => {
  const may = (...permissions: string[]) =>
    ({ role: "tenant-viewer", name: "reader", permissions: new Set(permissions) }) as const;
  const opened = { id: "one", ...may("realtime.events", "resources.get") };
  const isSame = (...now: string[]) =>
    rolesOf({ heldIn: () => may(...now) }).held.isSame("token", opened);
  expect(await isSame("resources.get", "realtime.events")).toBe(true);
  expect(await isSame("realtime.events")).toBe(false);
  expect(await isSame("realtime.events", "documents.record")).toBe(false);
  expect(await isSame("realtime.events", "resources.get", "documents.record")).toBe(false);
});

test("a database that does not answer ends no stream", async () => {
  const away = (): never => {
    throw new Error("the database is away");
  };
  expect(await rolesOf({ heldIn: away }).held.isSame("token", workspace)).toBe(true);
});
