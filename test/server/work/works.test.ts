import { expect, test } from "vitest";
import { statement } from "#server/database/statement.ts";
import { readChanges } from "#server/work/change-batches.ts";
import type { ChangeEvent } from "#server/work/change-event.ts";
import type { Remembered, RequestRecord, Transaction } from "#server/work/work.ts";
import { describeOnEachDatabase } from "#test/support/databases.ts";
import { testWorks } from "#test/support/work.ts";

function newRequest(): RequestRecord & { readonly kept: Remembered[] } {
  const kept: Remembered[] = [];
  return {
    requestId: "request-1",
    recordings: [],
    note: undefined,
    enteredWorkspaceId: undefined,
    keep: (answer) => void kept.push(answer),
    kept,
  };
}

const origin = { actor: "o", request: "request-1" };
const member: ChangeEvent = { kind: "member", workspaceId: "w", subject: "o", ...origin };
const insert = (tx: Transaction, name: string) =>
  tx.run(statement`insert into secrets (name, value, created_at) values (${name}, 'x', '2026')`);

describeOnEachDatabase("a transaction of a work", (open) => {
  async function world() {
    const { works, feed } = testWorks(await open());
    const changed: ChangeEvent[] = [];
    feed.listen({ changed: (event) => void changed.push(event), missed: () => {} });
    const request = newRequest();
    const work = works.forRequest({ workspaces: undefined, caller: "o" }, undefined, request);
    return { work, request, changed };
  }

  test("reports its rows and runs its effects before it resolves, in their order", async () => {
    const { work, request, changed } = await world();
    const effects: string[] = [];
    await work.write(async (tx) => {
      tx.event("member", "o", "w");
      tx.afterCommit(() => void effects.push(`effect after ${changed.length} row`));
      tx.remember({ id: "1" }, { status: 201 });
      tx.note({ target: { id: "1" } });
      await insert(tx, "one");
    });
    expect(changed).toEqual([member]);
    expect(effects).toEqual(["effect after 1 row"]);
    expect(request.kept).toEqual([{ body: { id: "1" }, options: { status: 201 } }]);
    expect(request.note).toEqual({ target: { id: "1" } });
  });

  test("stores its changes in one row for each workspace, and none when it fails", async () => {
    const { work } = await world();
    const { position } = await readChanges(work.read, undefined);
    await work.write(async (tx) => {
      tx.event("member", "o", "w");
      tx.event("member", "p", "w");
      tx.event("user", "o");
    });
    const failing = work.write(async (tx) => {
      tx.event("user", "q");
      throw new Error("no");
    });
    await expect(failing).rejects.toThrow("no");
    const { batches } = await readChanges(work.read, position);
    expect(batches.map(({ events }) => events)).toEqual([
      [member, { ...member, subject: "p" }],
      [{ kind: "user", workspaceId: "*", subject: "o", ...origin }],
    ]);
  });

  test("that fails changes no cache and keeps no answer, but its note is that of the refusal", async () => {
    const { work, request, changed } = await world();
    const failing = work.write(async (tx) => {
      tx.event("member", "o", "w");
      tx.afterCommit(() => void changed.push({ ...member, subject: "p" }));
      tx.remember({ id: "1" });
      tx.note({ workspaceId: "w" });
      await insert(tx, "two");
      throw new Error("no");
    });
    await expect(failing).rejects.toThrow("no");
    expect(changed).toEqual([]);
    expect(request.kept).toEqual([]);
    expect(request.note).toEqual({ workspaceId: "w" });
    const rows = await work.read.all(statement`select name from secrets where name = 'two'`);
    expect(rows).toEqual([]);
  });

  test("adds to the notes of the request's earlier transactions", async () => {
    const { work, request } = await world();
    await work.write(async (tx) => tx.note({ target: { id: "1" }, before: { role: "a" } }));
    await work.write(async (tx) => tx.note({ after: { role: "b" } }));
    expect(request.note).toEqual({
      target: { id: "1" },
      before: { role: "a" },
      after: { role: "b" },
    });
  });
});
