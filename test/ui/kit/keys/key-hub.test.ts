import type { Key } from "ink";
import { describe, expect, it } from "vitest";
import { KeyHub } from "#ui/kit/keys/key-hub.ts";
import { keyTable } from "#ui/nouns.tsx";
import type { Scope } from "#ui/kit/keys/keys.ts";
import { KeyTable, type AnyHandlers, type KeyLayer } from "#ui/kit/keys/key-bindings.ts";
import { strokesOf } from "#ui/kit/keys/keystrokes.ts";

const noKey = {} as Key;

/** A hub whose frames take no time: each press is drawn as soon as it has run. */
function openHub() {
  let frames = 0;
  const refused: string[] = [];
  const drawn = () => {
    frames += 1;
    hub.settled();
  };
  const hub = new KeyHub(new KeyTable(keyTable));
  hub.handled.subscribe(drawn);
  const layer = (scope: Scope, handlers: AnyHandlers, text?: KeyLayer["text"]) =>
    hub.add(Symbol(scope), { scope, handlers, facts: {}, text });
  return {
    hub,
    layer,
    refused,
    frames: () => frames,
    async type(input: string) {
      hub.press(strokesOf(input, noKey), (words) => refused.push(words));
      // Handled when one tick draws nothing.
      for (let before = -1; before !== frames;) {
        before = frames;
        await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
      }
    },
  };
}

describe("the hub of keys", () => {
  it("gives one press after another to the layer that handles it", async () => {
    const { layer, type, frames } = openHub();
    const moved: string[] = [];
    layer("pane", {
      down: (count) => moved.push(`down ${count}`),
      last: () => moved.push("last"),
    });
    await type("jjG");
    expect(moved).toEqual(["down 2", "last"]);
    expect(frames()).toBe(2);
  });

  it("gives the reason of a disabled key", async () => {
    const { hub, type, refused } = openHub();
    const handlers = { edit: () => expect.unreachable() };
    hub.add(Symbol("place"), { scope: "place", handlers, facts: { role: "tenant-viewer" } });
    await type("e");
    expect(refused).toEqual(["edit: needs the role tenant-staff; yours is tenant-viewer"]);
  });

  it("says what a letter would do elsewhere, but not while text or an answer is typed", async () => {
    const { layer, type, refused } = openHub();
    layer("place", {});
    await type("W");
    await type("!");
    expect(refused).toEqual(["where: a map: does not apply here"]);
    layer("input", {}, () => {});
    await type("W");
    layer("dialog", { confirm: () => {} });
    await type("W");
    expect(refused).toHaveLength(1);
  });

  it("puts fast typing into a field in one frame", async () => {
    const { layer, type, frames } = openHub();
    const typed: string[] = [];
    layer("input", {}, (text) => typed.push(text));
    const text = "the quick brown fox\njumps over the lazy dog\n".repeat(200);
    await type(text);
    expect(typed).toEqual([text]);
    expect(frames()).toBe(1);
  });

  it("reads line ends of a paste without brackets as text where a text has lines", async () => {
    const { layer, type } = openHub();
    const typed: string[] = [];
    layer("chat", { newline: () => {} }, (text) => typed.push(text));
    // The handler of `send` hears Enter first, like that of the chat.
    layer("chat", { send: () => typed.push("sent") });
    await type("one\rtwo\rthree");
    expect(typed).toEqual(["one\ntwo\nthree"]);
    await type(`${"a line of a paste\r".repeat(10)}end`);
    expect(typed[1]).toBe(`${"a line of a paste\n".repeat(10)}end`);
    await type("four\r");
    expect(typed.slice(2)).toEqual(["four", "sent"]);
  });

  it("starts the text after the key that opens its field", async () => {
    const { layer, type } = openHub();
    const typed: string[] = [];
    layer("place", { filter: () => layer("input", {}, (text) => typed.push(text)) });
    await type("/status:open");
    expect(typed).toEqual(["status:open"]);
  });

  it("ignores a paste without brackets where no layer takes text", async () => {
    const { layer, type, frames } = openHub();
    layer("place", { edit: () => expect.unreachable(), sort: () => expect.unreachable() });
    await type(`se\x13${"select name from some\n".repeat(10)}`);
    await type("q");
    expect(frames()).toBeGreaterThan(0);
  });
});
