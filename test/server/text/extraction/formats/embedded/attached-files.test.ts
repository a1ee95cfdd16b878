import { expect, test } from "vitest";
import { extract, makeDocx, makePdfOf, paragraph, pdfLines } from "../build-files.ts";

/** A PDF of one page to which these files are attached, and one that is a note on the page. */
function pdfWith(files: Readonly<Record<string, Uint8Array>>, note?: Uint8Array): Uint8Array {
  const names = Object.keys(files);
  const list = names.map((name, index) => `(${name}) ${6 + index * 2} 0 R`).join(" ");
  const end = 6 + names.length * 2;
  const specification = (name: string, at: number): string =>
    `/Type /Filespec /F (${name}) /EF <</F ${at} 0 R>>`;
  return makePdfOf([
    { dictionary: `/Type /Catalog /Pages 2 0 R /Names <</EmbeddedFiles <</Names [${list}]>>>>` },
    { dictionary: "/Type /Pages /Kids [4 0 R] /Count 1" },
    { dictionary: "/Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding" },
    {
      dictionary:
        "/Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 5 0 R " +
        "/Resources <</Font <</F1 3 0 R>>>> " +
        (note === undefined ? "" : `/Annots [${end} 0 R]`),
    },
    { dictionary: "", stream: Buffer.from(pdfLines(["Cover page"])) },
    ...names.flatMap((name, index) => [
      { dictionary: specification(name, 7 + index * 2) },
      { dictionary: "/Type /EmbeddedFile", stream: files[name] ?? Buffer.alloc(0) },
    ]),
    {
      dictionary: `/Type /Annot /Subtype /FileAttachment /Rect [0 0 9 9] /FS ${end + 1} 0 R`,
    },
    { dictionary: specification("note.txt", end + 2) },
    { dictionary: "/Type /EmbeddedFile", stream: note ?? Buffer.alloc(0) },
  ]);
}

const read = async (file: Uint8Array) => await extract(file, { filename: "portfolio.pdf" });

test("files attached to a PDF and to its pages are pages after its own", async () => {
  const letter = makeDocx(paragraph("A letter."));
  const file = pdfWith({ "letter.docx": letter }, Buffer.from("A note."));
  const { pages, leftOut } = await read(file);
  expect(pages.map(({ text }) => text)).toEqual(["Cover page", "A letter.", "A note."]);
  expect(leftOut).toBeUndefined();
});

test("an attached file that is not read is named, also one without its content", async () => {
  const program = Buffer.from("MZ\u0090\0", "latin1");
  expect((await read(pdfWith({ "setup.exe": program }))).leftOut).toContain("setup.exe");
  const text = Buffer.from(pdfWith({ "gone.txt": program })).toString("latin1");
  const without = Buffer.from(text.replace("/EF <</F 7 0 R>>", "/EF <</F 99 0 R>>"), "latin1");
  expect((await read(without)).leftOut).toBe(
    "The attachment gone.txt was not read: it is damaged.",
  );
});

test.each(["factur-x.xml", "ZUGFeRD-invoice.xml", "mathml-2.xml", "Press Quality.joboptions"])(
  "data that repeat the pages or tell how they were made are left out: %s",
  async (name) => {
    const { pages, warnings } = await read(pdfWith({ [name]: Buffer.from("<a>1</a>") }));
    expect([pages.map(({ text }) => text), warnings]).toEqual([["Cover page"], []]);
  },
);
