import { describe, expect, it } from "vitest";
import type { Resource } from "#client/index.ts";
import { exportChunks, type ExportFormat } from "#ui/records/list/export-file.ts";

function record(index: number, data: Record<string, unknown>): Resource {
  const at = "2026-11-21T10:00:00.000Z";
  return { id: `id-${index}`, type: "licence", version: 1, data, created_at: at, updated_at: at };
}

async function* listed(records: readonly Resource[]): AsyncGenerator<Resource> {
  yield* records;
}

async function textOf(
  records: readonly Resource[],
  format: ExportFormat,
  columns: readonly string[] = [],
): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of exportChunks(listed(records), format, columns, () => {})) {
    text += decoder.decode(chunk);
  }
  return text;
}

describe("an export file", () => {
  it.each([0, 1, 2, 100, 101, 250])("is one JSON list of %i records", async (count) => {
    const records = Array.from({ length: count }, (_, index) => record(index, { n: index }));
    expect(JSON.parse(await textOf(records, "json"))).toEqual(records);
  });

  it.each([0, 1, 250])("is %i lines of JSON", async (count) => {
    const records = Array.from({ length: count }, (_, index) => record(index, { n: "a\nb" }));
    const lines = (await textOf(records, "ndjson")).split("\n").slice(0, -1);
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(records);
  });

  it("is CSV that a spreadsheet reads and does not run", async () => {
    const data = {
      a: 'say "hi", twice\r\nmore',
      b: null,
      c: [1, { d: 2 }],
      e: "=1+1",
      f: -5,
      g: true,
    };
    const text = await textOf([record(1, data)], "csv", [
      "id",
      "a",
      "b",
      "c",
      "e",
      "f",
      "g",
      "gone",
    ]);
    expect(text).toBe(
      'id,a,b,c,e,f,g,gone\r\nid-1,"say ""hi"", twice\r\nmore",,"[1,{""d"":2}]","\'=1+1",-5,true,\r\n',
    );
  });
});
