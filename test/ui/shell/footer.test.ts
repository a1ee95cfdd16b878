import { describe, expect, it } from "vitest";
import { keyTable } from "#ui/nouns.tsx";
import { bindingsOf, KeyTable } from "#ui/kit/keys/key-bindings.ts";
import { footerHints } from "#ui/shell/footer.tsx";

const table = new KeyTable(keyTable);

describe("the footer", () => {
  it("keeps help and the most important keys when it is narrow", () => {
    const nothing = () => {};
    const bindings = bindingsOf(table, [
      { scope: "pane", handlers: { open: nothing, mark: nothing }, facts: {} },
      { scope: "place", handlers: { filter: nothing, delete: nothing, edit: nothing }, facts: {} },
      { scope: "global", handlers: { help: nothing, palette: nothing, quit: nothing }, facts: {} },
    ]);
    const shown = (width: number) => footerHints(bindings, width).map((hint) => hint.intent);
    expect(shown(200)).toEqual([
      "open",
      "filter",
      "edit",
      "mark",
      "delete",
      "palette",
      "help",
      "quit",
    ]);
    expect(shown(40)).toEqual(["open", "filter", "palette", "help"]);
  });

  it("offers no key that can't be used now, and keeps the way back", () => {
    const nothing = () => {};
    const bindings = bindingsOf(table, [
      { scope: "pane", handlers: { open: nothing }, facts: { rows: 0 } },
      { scope: "place", handlers: { filter: nothing, goBack: nothing }, facts: {} },
      { scope: "global", handlers: { help: nothing, palette: nothing }, facts: {} },
    ]);
    const shown = (width: number) => footerHints(bindings, width).map((hint) => hint.intent);
    expect(shown(80)).toEqual(["filter", "goBack", "palette", "help"]);
    expect(shown(45)).toEqual(["filter", "goBack", "palette", "help"]);
    expect(shown(30)).toEqual(["goBack", "palette", "help"]);
  });
});
