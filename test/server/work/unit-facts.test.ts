import { expect, test } from "vitest";
import { UnitFacts, UnitTransaction } from "#server/work/unit-facts.ts";

function settled(facts: UnitFacts): unknown[] {
  const reported: unknown[] = [];
  facts.settle({ committed: (events: unknown) => reported.push(events) } as never);
  return reported;
}

test("events carry the origin of their request, and count once the run has committed", () => {
  const facts = new UnitFacts(undefined, { actor: "u", request: "r" });
  const order: string[] = [];
  facts.event("record.created" as never, "1", "w", { version: 1 } as never);
  facts.afterCommit(() => order.push("effect"));
  expect(settled(facts)).toEqual([
    [
      {
        kind: "record.created",
        subject: "1",
        workspaceId: "w",
        actor: "u",
        request: "r",
        version: 1,
      },
    ],
  ]);
  expect(order).toEqual(["effect"]);
});

test("a change that a statement has stored is reported, but not stored again", () => {
  const facts = new UnitFacts(undefined, { actor: "u" });
  const change = facts.storable("record", "1", "w", { version: 1 });
  expect(settled(facts)).toEqual([]);
  if (change !== undefined) facts.stored(change);
  expect(facts.events).toBe(undefined);
  expect(settled(facts)).toEqual([
    [{ kind: "record", subject: "1", workspaceId: "w", actor: "u", version: 1 }],
  ]);
  facts.restart();
  expect(settled(facts)).toEqual([]);
  facts.event("record", "2", "w", { op: "deleted" });
  expect(facts.storable("record", "3", "w", { version: 1 })).toBe(undefined);
  expect(new UnitFacts(undefined, {}, false).storable("record", "1", "w", {})).toBe(undefined);
});

test("a run that did not commit leaves no events and effects", () => {
  const facts = new UnitFacts({ action: "first" } as never);
  facts.event("record.created" as never, "1");
  facts.afterCommit(() => {
    throw new Error("must not run");
  });
  facts.restart();
  expect(facts.events).toBe(undefined);
  expect(settled(facts)).toEqual([]);
  facts.note({ after: 1 } as never);
  expect(facts.noted).toEqual({ action: "first", after: 1 });
});

test("a transaction passes statements on, and keeps its facts", async () => {
  const facts = new UnitFacts(undefined);
  const writer = { dialect: "sqlite", all: (statement: unknown) => Promise.resolve([statement]) };
  const transaction = new UnitTransaction(writer as never, facts);
  expect(await transaction.all("s" as never)).toEqual(["s"]);
  transaction.remember({ id: 1 }, { status: 201 } as never);
  transaction.rememberPart([1]);
  expect([transaction.dialect, facts.remembered, facts.part]).toEqual([
    "sqlite",
    { body: { id: 1 }, options: { status: 201 } },
    [1],
  ]);
});
