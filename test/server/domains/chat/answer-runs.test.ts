import { expect, test } from "vitest";
import { describeInTurn } from "#test/support/databases.ts";
import { createWorld, planning } from "../documents/world.ts";
import { asking, code, grace } from "./asking.ts";
import { rest, slowEngine, textOf, until } from "./slow-answers.ts";

const conversation_id = "0192f000-0000-4000-8000-00000000feed";
const key = { workspaceId: planning, id: conversation_id };

describeInTurn("an answer that is being written", (open) => {
  test("goes on when its reader leaves, who returns with Last-Event-ID", async () => {
    const { engine, release } = slowEngine(["one ", "two ", "three"]);
    const world = await createWorld(await open(), { engine });
    const first = await world.chat.stream(world.work, asking("Count", { conversation_id }));
    release(0);
    const seen = await until(first, "text-delta");
    await first.return();
    release(1);
    release(2);
    const lastEventId = seen.at(-1)?.id;
    const { signal } = new AbortController();
    const resumed = await rest(await world.chat.resume(world.work, key, { lastEventId, signal }));
    expect(textOf([...seen, ...resumed])).toBe("one two three");
    expect(resumed.at(-1)?.data.type).toBe("finish");
    const ids = [...seen, ...resumed].map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    // The stream starts again from the beginning, also after its end.
    const again = await world.chat.resume(world.work, key, { lastEventId: "other:7", signal });
    expect(textOf(await rest(again))).toBe("one two three");
    const { messages } = await world.chat.conversations.detail(world.work, key, {});
    expect(messages[1]).toMatchObject({ content: "one two three", status: "complete" });
  });

  test("is stopped by its user, and keeps its text so far", async () => {
    const { engine, release } = slowEngine(["one ", "two"]);
    const world = await createWorld(await open(), { engine });
    const stream = await world.chat.stream(world.work, asking("Count", { conversation_id }));
    release(0);
    await until(stream, "text-delta");
    expect(await code(world.chat.stop(world.as(grace), key))).toBe("not-found");
    expect(await world.chat.stop(world.work, key)).toEqual({ conversation_id, stopped: true });
    const end = await rest(stream);
    expect(end.at(-1)?.data).toEqual({ type: "abort", reason: "Stopped by its user" });
    const { messages } = await world.chat.conversations.detail(world.work, key, {});
    expect(messages[1]).toMatchObject({ content: "one ", status: "incomplete", model: "slow" });
    expect(await world.chat.stop(world.work, key)).toEqual({ conversation_id, stopped: false });
  });

  test("ends some time after its last reader has left", async () => {
    const { engine, release } = slowEngine(["one ", "two"]);
    const world = await createWorld(await open(), { engine, answerLimits: { unreadMs: 1 } });
    const stream = await world.chat.stream(world.work, asking("Count", { conversation_id }));
    release(0);
    await until(stream, "text-delta");
    await stream.return();
    const { signal } = new AbortController();
    await expect
      .poll(
        async () =>
          (await world.chat.conversations.detail(world.work, key, {})).messages[1]?.status,
      )
      .toBe("incomplete");
    const seen = await rest(
      await world.chat.resume(world.work, key, { lastEventId: undefined, signal }),
    );
    expect(seen.at(-1)?.data).toEqual({ type: "abort", reason: "No reader is left" });
  });

  test("ends at its time limit", async () => {
    const { engine } = slowEngine(["never"]);
    const world = await createWorld(await open(), { engine, answerLimits: { answerMs: 1 } });
    const seen = await rest(
      await world.chat.stream(world.work, asking("Count", { conversation_id })),
    );
    expect(seen.at(-1)?.data).toEqual({ type: "abort", reason: "The answer took too long" });
  });

  test("is the only one of its conversation, and one of a few of its user", async () => {
    const { engine, release } = slowEngine(["one"]);
    const world = await createWorld(await open(), { engine, answerLimits: { runningPerUser: 1 } });
    const stream = await world.chat.stream(world.work, asking("Count", { conversation_id }));
    expect(await code(world.chat.stream(world.work, asking("Again", { conversation_id })))).toBe(
      "conflict",
    );
    expect(await code(world.chat.send(world.work, asking("Again", { conversation_id })))).toBe(
      "conflict",
    );
    expect(await code(world.chat.stream(world.work, asking("Elsewhere")))).toBe("rate-limited");
    release(0);
    await rest(stream);
    const { messages } = await world.chat.conversations.detail(world.work, key, {});
    expect(messages).toHaveLength(2);
    await rest(await world.chat.stream(world.work, asking("Again", { conversation_id })));
  });

  test("does not bring a deleted conversation back", async () => {
    const { engine, release } = slowEngine(["one ", "two"]);
    const world = await createWorld(await open(), { engine });
    const stream = await world.chat.stream(world.work, asking("Count", { conversation_id }));
    release(0);
    await until(stream, "text-delta");
    await world.chat.conversations.delete(world.work, key);
    expect(await code(world.chat.conversations.detail(world.work, key, {}))).toBe("not-found");
    const { signal } = new AbortController();
    expect(await code(world.chat.resume(world.work, key, { lastEventId: undefined, signal }))).toBe(
      "not-found",
    );
  });
});
