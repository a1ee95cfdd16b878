import { describe, expect, test } from "vitest";
import { extract, failureOf } from "./build-files.ts";

const textOf = async (content: string | Uint8Array, filename: string): Promise<string> =>
  (await extract(content, { filename })).pages[0]?.text ?? "";

describe("JSON", () => {
  test("one line per value, with its path", async () => {
    const source = '{"site":{"name":"Quay","fees":[70,true,null,""]},"é":"x"}';
    expect(await textOf(source, "a.json")).toBe(
      "site.name: Quay\nsite.fees[0]: 70\nsite.fees[1]: true\né: x",
    );
  });

  test("several values in one file are read as text, and deep nesting is refused", async () => {
    const document = await extract('{"a":1}\n{"a":2}\n', { filename: "a.json" });
    expect(document.pages[0]?.text).toBe('{"a":1}\n{"a":2}');
    expect(document.warnings).toHaveLength(1);
    const deep = await failureOf(extract("[".repeat(100_000), { filename: "a.json" }));
    expect(deep.code).toBe("limit-exceeded");
  });
});
