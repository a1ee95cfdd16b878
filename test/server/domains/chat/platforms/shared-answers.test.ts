import { expect, test } from "vitest";
import { storeEvents, takeConversation } from "#server/domains/chat/platforms/store.ts";
import { raw } from "#server/database/statement.ts";
import { describeOnPostgresql } from "#test/support/databases.ts";
import { createWorld, planning, type World, type WorldOptions } from "../../documents/world.ts";
import { asking, code } from "../asking.ts";
import { rest, slowEngine, textOf, until } from "../slow-answers.ts";

const conversation_id = "0192f000-0000-4000-8000-00000000feed";
const key = { workspaceId: planning, id: conversation_id };
const { signal } = new AbortController();
/** No look is due, so that only the feed wakes a reader. */
const neverMs = 60 * 60 * 1000;
const changes = raw("select events from change_batches where events::text like '%answer%'");

describeOnPostgresql("an answer on one of two platforms", (open, { createTables }) => {
  /** Two platforms, each with its own memory and connections. */
  async function twoWorlds(given: WorldOptions): Promise<readonly [World, World]> {
    const { url } = await createTables();
    const [one, other] = [await open({ url }), await open({ url })];
    const options = { ...given, answerLimits: { lookMs: neverMs, ...given.answerLimits } };
    return [await createWorld(one, options), await createWorld(other, options)];
  }

  test("is read on the other one while it is written, and afterwards", async () => {
    const { engine, release } = slowEngine(["one ", "two ", "three"]);
    const [one, other] = await twoWorlds({ engine });
    const first = await one.chat.stream(one.work, asking("Count", { conversation_id }));
    release(0);
    const seen = await until(first, "text-delta");
    await first.return();
    const lastEventId = seen.at(-1)?.id;
    const resumed = await other.chat.resume(other.work, key, { lastEventId, signal });
    release(1);
    const events = resumed[Symbol.asyncIterator]();
    const next = await until(events, "text-delta");
    expect(textOf(next)).toBe("two ");
    release(2);
    const last = await until(events, "finish");
    expect(await events.next()).toMatchObject({ done: true });
    const all = [...seen, ...next, ...last];
    expect(textOf(all)).toBe("one two three");
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
    // It starts again from the beginning, with the same ids.
    const from = { lastEventId: undefined, signal };
    const again = await rest(await other.chat.resume(other.work, key, from));
    expect(again.map(({ id }) => id)).toEqual(all.map(({ id }) => id));
    const { messages } = await other.chat.conversations.detail(other.work, key, {});
    expect(messages[1]).toMatchObject({ content: "one two three", status: "complete" });
  });

  test("has one change in the feed, at its end, if no other platform reads it", async () => {
    const { engine, release } = slowEngine(["one ", "two ", "three"]);
    const [one, other] = await twoWorlds({ engine });
    const first = await one.chat.stream(one.work, asking("Count", { conversation_id }));
    for (const at of [0, 1, 2]) release(at);
    await rest(first);
    expect(await one.database.read.all(changes)).toHaveLength(1);
    const from = { lastEventId: undefined, signal };
    expect(textOf(await rest(await other.chat.resume(other.work, key, from)))).toBe(
      "one two three",
    );
  });

  test("is read to its end by platforms that hear nothing of each other", async () => {
    const { engine, release } = slowEngine(["one ", "two"]);
    const [one, other] = await twoWorlds({ engine, isDeaf: true, answerLimits: { lookMs: 20 } });
    const first = await one.chat.stream(one.work, asking("Count", { conversation_id }));
    const from = { lastEventId: undefined, signal };
    const read = rest(await other.chat.resume(other.work, key, from));
    for (const at of [0, 1]) release(at);
    await rest(first);
    expect(textOf(await read)).toBe("one two");
  });

  test("is stopped from the other one, and keeps its text so far", async () => {
    const { engine, release } = slowEngine(["one ", "two"]);
    const [one, other] = await twoWorlds({ engine });
    const stream = await one.chat.stream(one.work, asking("Count", { conversation_id }));
    release(0);
    await until(stream, "text-delta");
    expect(await other.chat.stop(other.work, key)).toEqual({ conversation_id, stopped: true });
    // The text is stored once the stop is answered.
    const { messages } = await other.chat.conversations.detail(other.work, key, {});
    expect(messages[1]).toMatchObject({ content: "one ", status: "incomplete" });
    const end = await rest(stream);
    expect(end.at(-1)?.data).toEqual({ type: "abort", reason: "Stopped by its user" });
    expect(await other.chat.stop(other.work, key)).toEqual({ conversation_id, stopped: false });
  });

  test("is the only one of its conversation, and one of a few of its user", async () => {
    const { engine, release } = slowEngine(["one"]);
    const [one, other] = await twoWorlds({ engine, answerLimits: { runningPerUser: 1 } });
    const stream = await one.chat.stream(one.work, asking("Count", { conversation_id }));
    const elsewhere = other.chat.stream(other.work, asking("Elsewhere"));
    expect(await code(elsewhere)).toBe("rate-limited");
    const again = asking("Again", { conversation_id });
    expect(await code(one.chat.stream(one.work, again))).toBe("conflict");
    release(0);
    await rest(stream);
    const { messages } = await other.chat.conversations.detail(other.work, key, {});
    expect(messages).toHaveLength(2);
    await rest(await other.chat.stream(other.work, again));
  });

  test("refuses a second one of the conversation on the other one", async () => {
    const { engine, release } = slowEngine(["one"]);
    const [one, other] = await twoWorlds({ engine });
    const stream = await one.chat.stream(one.work, asking("Count", { conversation_id }));
    const again = asking("Again", { conversation_id });
    expect(await code(other.chat.stream(other.work, again))).toBe("conflict");
    expect(await code(other.chat.send(other.work, again))).toBe("conflict");
    release(0);
    await rest(stream);
    const { message } = await other.chat.send(other.work, again);
    expect(message.content).toBe("one");
  });

  test("ends for its readers when its platform is gone, and another one may follow", async () => {
    const { engine, release } = slowEngine(["one"]);
    const [one, other] = await twoWorlds({ engine });
    release(0);
    await one.chat.send(one.work, asking("Count", { conversation_id }));
    const now = new Date();
    const messageId = "0192f000-0000-4000-8000-0000000000aa";
    const lease = { key, messageId, owner: "gone", process: "gone", leaseMs: 0, now };
    const events = [{ type: "text-delta", id: "text", delta: "so far" } as const];
    await one.database.write(async (writer) => {
      await takeConversation(writer, lease);
      const stored = { workspaceId: planning, messageId, place: 0, events };
      await storeEvents(writer, [stored], { keptMs: 60_000, now });
    });
    const from = { lastEventId: undefined, signal };
    const seen = await rest(await other.chat.resume(other.work, key, from));
    const reason = "The platform that wrote this answer is gone";
    expect(seen.map(({ data }) => data)).toEqual([...events, { type: "abort", reason }]);
    const next = await other.chat.stream(other.work, asking("Again", { conversation_id }));
    expect(textOf(await rest(next))).toBe("one");
    const { messages } = await one.chat.conversations.detail(one.work, key, {});
    expect(messages.map(({ content, status }) => `${content} (${status})`)).toEqual([
      "Count (complete)",
      "one (complete)",
      "so far (incomplete)",
      "Again (complete)",
      "one (complete)",
    ]);
  });

  test("ends when another platform has taken its conversation", async () => {
    const { engine, release } = slowEngine(["one ", "two"]);
    const [one, other] = await twoWorlds({ engine, answerLimits: { lookMs: 20 } });
    const stream = await one.chat.stream(one.work, asking("Count", { conversation_id }));
    release(0);
    await until(stream, "text-delta");
    await other.database.write((writer) =>
      writer.run(raw("update running_answers set process = 'other', message_id = 'other'")),
    );
    const reason = "Another platform has taken the conversation";
    expect((await rest(stream)).at(-1)?.data).toEqual({ type: "abort", reason });
  });

  test("is stopped when the conversation is deleted on the other one", async () => {
    const { engine, release } = slowEngine(["one ", "two"]);
    const [one, other] = await twoWorlds({ engine });
    const stream = await one.chat.stream(one.work, asking("Count", { conversation_id }));
    release(0);
    await until(stream, "text-delta");
    await other.chat.conversations.delete(other.work, key);
    expect((await rest(stream)).at(-1)?.data.type).toBe("abort");
    expect(await code(one.chat.conversations.detail(one.work, key, {}))).toBe("not-found");
    const left = await other.database.read.all(
      raw("select 1 from answer_events union all select 1 from running_answers"),
    );
    expect(left).toEqual([]);
  });
});
