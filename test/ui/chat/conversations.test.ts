import { describe, expect, it } from "vitest";
import { Conversations, mostTabs } from "#ui/chat/conversations.ts";
import { Store } from "#ui/kit/state/store.ts";

function opened() {
  const session = { baseUrl: "http://platform.test", user: "ada", workflowKey: "assistant" };
  const state = new Store({ session, tenantId: "planning" });
  const conversations = new Conversations({ state });
  const say = async (text: string) => {
    await conversations.shown.send(text, async function* () {
      await Bun.sleep(0);
      yield* [];
    });
  };
  const titles = () => conversations.tabs.get().all.map((each) => each.get().title);
  return { state, conversations, say, titles };
}

describe("open conversations", () => {
  it("begins another one only when the shown one has a message, about the same documents", async () => {
    const { conversations, say, titles } = opened();
    const first = conversations.shown;
    expect(conversations.begin()).toBe(first);
    first.askAbout([{ documentId: "d", name: "plans.pdf" }]);
    await say("When?");
    const second = conversations.begin();
    expect(second.get()).toMatchObject({ workflow: "assistant", messages: [] });
    expect(second.get().subjects).toHaveLength(1);
    expect(second.get().conversationId).not.toBe(first.get().conversationId);
    expect(titles()).toEqual(["When?", ""]);
    conversations.step(1);
    expect(conversations.shown).toBe(first);
    conversations.step(-1);
    expect(conversations.shown).toBe(second);
  });

  it("closes the shown one, and always has one", async () => {
    const { conversations, say, titles } = opened();
    await say("one");
    conversations.begin();
    await say("two");
    conversations.step(1);
    conversations.close();
    expect(titles()).toEqual(["two"]);
    conversations.close();
    expect(titles()).toEqual([""]);
  });

  it("refuses more than it keeps", async () => {
    const { conversations, say } = opened();
    for (let count = 1; count < mostTabs; count += 1) {
      await say("a question");
      expect(conversations.refusal).toBeUndefined();
      conversations.begin();
    }
    expect(conversations.refusal).toContain(`${mostTabs} conversations are open`);
  });

  it("takes the documents of a route once, and belongs to one workspace", async () => {
    const { state, conversations, say, titles } = opened();
    const subjects = [{ documentId: "d", name: "plans.pdf" }];
    conversations.take(subjects);
    conversations.shown.forgetSubjects();
    conversations.take(subjects);
    expect(conversations.shown.get().subjects).toEqual([]);
    await say("When?");
    state.set((now) => ({ ...now, tenantId: "licensing" }));
    expect(titles()).toEqual([""]);
  });
});
