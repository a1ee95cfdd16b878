import { expect, test } from "vitest";
import {
  bindingFor,
  bindingsOf,
  factsOf,
  hearingLayers,
  KeyTable,
  type KeyLayer,
} from "#ui/kit/keys/key-bindings.ts";
import { key, keyGroup, keyTableOf } from "#ui/kit/keys/keys.ts";
import { because } from "#ui/kit/keys/reasons.ts";

const closed = because(
  ({ rows }) => (rows === 0 ? "nothing is selected" : undefined),
  ["records.get"],
);
const table = new KeyTable(
  keyTableOf([
    keyGroup({
      open: key("enter o", "pane", "open", { disabledReason: closed }),
      quit: key("q", "global", "quit"),
      confirm: key("y enter", "dialog", "yes"),
      copy: [key("y", "place", "copy"), key("ctrl+y", "form", "copy")],
    }),
  ]),
);
const run = (): void => undefined;
const layer = (scope: KeyLayer["scope"], handlers: object, more: object = {}): KeyLayer => ({
  scope,
  handlers: handlers as never,
  facts: {},
  ...more,
});

test("the deepest layer that handles a key runs, and a modal one hides those below", () => {
  const global = layer("global", { quit: run });
  const place = layer("place", { copy: run }, { facts: { rows: 0, marked: 1 } });
  const pane = layer("pane", { open: run }, { facts: { rows: 2 } });
  const all = [pane, global, place];
  expect(hearingLayers(all).map(({ scope }) => scope)).toEqual(["pane", "place", "global"]);
  expect(factsOf(all)).toEqual({ rows: 2, marked: 1 });
  const found = (name: string, layers: readonly KeyLayer[]) =>
    bindingFor(table, { hearing: hearingLayers(layers), all: layers }, name);
  expect(found("enter", all)).toMatchObject({ scope: "pane", reason: undefined });
  expect(found("y", all)?.entry.intent).toBe("copy");
  expect(found("x", all)).toBe(undefined);
  const modal = [...all, layer("dialog", { confirm: run })];
  expect(found("y", modal)?.entry.intent).toBe("confirm");
  expect(found("q", modal)).toBe(undefined);
});

test("a disabled key has its reason", () => {
  const all = [layer("pane", { open: run }, { facts: { rows: 0 } })];
  expect(bindingFor(table, { hearing: all, all }, "o")?.reason).toBe("nothing is selected");
  expect(table.capabilities()).toEqual(["records.get"]);
});

test("characters are text while the user types, and a key is listed once", () => {
  const names = (layers: readonly KeyLayer[]): string[] =>
    bindingsOf(table, layers).map(({ entry }) => `${entry.intent} ${entry.keys.join(",")}`);
  const pane = layer("pane", { open: run });
  const global = layer("global", { quit: run });
  expect(names([global, pane])).toEqual(["open enter,o", "quit q"]);
  expect(names([global, pane, layer("input", {}, { text: run })])).toEqual(["open enter"]);
});
