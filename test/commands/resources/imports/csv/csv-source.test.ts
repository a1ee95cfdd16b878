import { expect, test } from "vitest";
import { csvSource } from "#commands/resources/imports/csv/csv-source.ts";
import { inspectFile, type Cell } from "#commands/resources/imports/source.ts";

const { signal } = new AbortController();

async function read(bytes: Uint8Array<ArrayBuffer>, options: { charset?: string } = {}) {
  const content = new Blob([bytes]);
  const file = { content: Bun.file("/dev/null"), isRegular: true, stream: () => content.stream() };
  const facts = await inspectFile(file, signal);
  const given = { name: "rows.csv", separator: undefined, charset: options.charset };
  const source = await csvSource(file, facts, given, signal);
  const rows: (readonly [number, ...Cell[]])[] = [];
  for await (const some of source.rows({ bytes: 0 })) {
    rows.push(...some.map(({ number, cells }) => [number, ...cells] as const));
  }
  return { format: source.format, showsItsEnd: source.showsItsEnd, rows };
}

const utf8 = (text: string) => new TextEncoder().encode(text);

test.each([
  [";", "a;b;c\n1,5;2,5;3\n"],
  ["tabs", "a\tb\tc\n1,5\t2;x\t3\n"],
  ["|", "a|b|c\n1,5|2|3\n"],
  [";", 'a;b;c\n1,5;"x;y";3\n2,5;"two\nlines";4;\n3\n\n1,5;6,5;7\n;;;\n'],
  [",", '"a;b",c,d\n"1;2",3,4\n'],
])("the separator %s is found", async (words, text) => {
  expect((await read(utf8(text))).format).toBe(`CSV, utf-8, separated by ${words}`);
});

test("a line for Excel names the separator, and rows count as in the spreadsheet", async () => {
  const { rows, showsItsEnd } = await read(utf8('sep=;\r\na;b\r\n\r\n"x\ny";""\r\n1;2'));
  expect(rows).toEqual([
    [2, "a", "b"],
    [4, "x\ny", ""],
    [5, "1", "2"],
  ]);
  expect(showsItsEnd).toBe(false);
});

test("texts of Excel are read in their charset", async () => {
  const text = "Name;Straße\r\nŻółć;Ærø\r\n";
  const wide = Buffer.from(`\ufeff${text}`, "utf16le");
  const { format, rows } = await read(new Uint8Array(wide));
  expect(format).toBe("CSV, utf-16le, separated by ;");
  expect(rows[1]).toEqual([2, "Żółć", "Ærø"]);
  const western = new Uint8Array(Buffer.from("Name;Straße\r\nMüller;Größe\r\n", "latin1"));
  expect((await read(western)).rows[1]).toEqual([2, "Müller", "Größe"]);
  const cyrillic = new Uint8Array([0xcf, 0xf0, 0xe8, 0x3b, 0xe2, 0xe5, 0xf2, 0x0a]);
  const named = await read(cyrillic, { charset: "windows-1251" });
  expect(named.rows[0]).toEqual([1, "При", "вет"]);
});

test("a charset that is not known, or not that of the file, is refused", async () => {
  const western = new Uint8Array(Buffer.from("Müller\n", "latin1"));
  await expect(read(western, { charset: "utf-8" })).rejects.toMatchObject({ code: "E304" });
  await expect(read(western, { charset: "klingon" })).rejects.toMatchObject({ code: "E304" });
});
