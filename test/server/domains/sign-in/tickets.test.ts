import { expect, test } from "vitest";
import { Tickets } from "#server/domains/sign-in/tickets.ts";

const user = { oid: "u", password_hash: "h", token_generation: 1, disabled_at: null };

function opened(stored: object | undefined, key = 1) {
  const clock = { now: new Date("2026-01-01T00:00:00Z") };
  const tickets = new Tickets({
    read: { first: () => stored } as never,
    now: () => clock.now,
    key: new Uint8Array(32).fill(key),
  });
  return { tickets, clock };
}

test("a ticket leads its user to one step, for its time", async () => {
  const { tickets, clock } = opened(user);
  const ticket = tickets.issue("factor", user as never);
  expect(await tickets.holder("factor", ticket)).toBe(user);
  expect(await tickets.holder("reset-password", ticket)).toBe(undefined);
  clock.now = new Date("2026-01-01T00:10:00Z");
  expect(await tickets.holder("factor", ticket)).toBe(undefined);
  const mailed = tickets.issue("reset-password", user as never);
  clock.now = new Date("2026-01-01T00:39:00Z");
  expect(await tickets.holder("reset-password", mailed)).toBe(user);
});

test.each([
  ["the password has changed", { ...user, password_hash: "other" }, 1],
  ["all tokens have ended", { ...user, token_generation: 2 }, 1],
  ["the account is disabled", { ...user, disabled_at: "2026" }, 1],
  ["the user is gone", undefined, 1],
  ["another platform made it", user, 2],
])("a ticket is void when %s", async (_case, stored, key) => {
  const ticket = opened(user).tickets.issue("factor", user as never);
  expect(await opened(stored, key).tickets.holder("factor", ticket)).toBe(undefined);
});

test("a changed end is noticed", async () => {
  const { tickets } = opened(user);
  const [oid, end, mac] = tickets.issue("factor", user as never).split(".");
  expect(await tickets.holder("factor", `${oid}.${Number(end) + 1}.${mac}`)).toBe(undefined);
  expect(await tickets.holder("factor", "")).toBe(undefined);
});
