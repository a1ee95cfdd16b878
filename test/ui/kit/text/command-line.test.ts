import { describe, expect, it } from "vitest";
import { clipboardSequence, commandLine } from "#ui/kit/text/command-line.ts";

describe("commands", () => {
  it("are quoted as a shell reads them", () => {
    expect(
      commandLine(["resources", "list", "planning-application"], {
        where: `{"address":"it's"}`,
        sort: undefined,
      }),
    ).toBe(`svc resources list planning-application --where '{"address":"it'\\''s"}'`);
  });

  it("go to the clipboard as OSC 52", () => {
    expect(clipboardSequence("é")).toBe("\x1b]52;c;w6k=\x07");
  });
});
