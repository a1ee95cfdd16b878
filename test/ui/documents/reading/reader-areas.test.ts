import { describe, expect, it } from "vitest";
import { layoutOf } from "#ui/kit/panes/layout.ts";
import { readerAreas } from "#ui/documents/reading/reader-areas.ts";

describe("the fields of a document", () => {
  it("are to the right of its text on a wide screen, and below it on another one", () => {
    expect(readerAreas(layoutOf(240, 80), 5)).toEqual({
      direction: "row",
      text: { width: 128, height: 78 },
      fields: { width: 80, height: 78 },
    });
    expect(readerAreas(layoutOf(120, 40), 5)).toEqual({
      direction: "column",
      text: { width: 91, height: 30 },
      fields: { width: 91, height: 8 },
    });
  });

  it("leave the whole screen to the text where there are none, or no room for them", () => {
    const { width, height } = layoutOf(240, 80);
    expect(readerAreas(layoutOf(240, 80), 0)).toMatchObject({ text: { width, height } });
    expect(readerAreas(layoutOf(40, 12), 5).fields).toBeUndefined();
  });
});
