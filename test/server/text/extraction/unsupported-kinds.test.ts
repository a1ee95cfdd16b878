import { expect, test } from "vitest";
import { extract, failureOf, makeZip } from "./formats/build-files.ts";

const refusal = async (content: Uint8Array): Promise<string> => {
  const { code, message } = await failureOf(extract(content, { filename: "file" }));
  expect(code).toBe("unsupported");
  return message;
};

const at = (place: number, bytes: string): Buffer =>
  Buffer.concat([Buffer.alloc(place), Buffer.from(bytes, "latin1"), Buffer.alloc(64)]);

test.each([
  [at(4, "ftypheic"), "a picture (HEIC)", "save it as JPEG"],
  [at(4, "ftypavif"), "a picture (AVIF)", "save it as JPEG"],
  [at(4, "ftypisom"), "a recording (sound or video)", "plain text files are read"],
  [at(0, "\xe4R\\{\x8c\xd8\xa7M"), "a section of OneNote (.one)", "PDF or DOCX"],
  [at(0, "\xffWPC"), "a document of WordPerfect", "save it as DOCX"],
  [at(4, "Standard ACE DB"), "a database of Access", "CSV or XLSX"],
  [at(0, "!BDN"), "a mailbox of Outlook (.pst)", "save the messages as MSG"],
  [at(257, "ustar"), "an archive (tar)", "Unpack it"],
  [at(0, "AC1032"), "a drawing of AutoCAD (.dwg)", "save it as PDF"],
  [at(0, "ID3"), "a recording (MP3)", "plain text files are read"],
])("case %#: a file is refused by name", async (content, words, remedy) => {
  const message = await refusal(content);
  expect(message).toContain(`This file is ${words}, which is not read.`);
  expect(message).toContain(remedy);
});

test.each([
  ["xl/workbook.bin", "a binary workbook of Excel (.xlsb)", "save it as XLSX"],
  ["visio/document.xml", "a Visio drawing (.vsdx)", "save it as PDF"],
  ["Index/Document.iwa", "a document of Pages, Numbers or Keynote", "export it as PDF"],
  ["FixedDocumentSequence.fdseq", "an XPS document", "save it as PDF"],
  ["letter.docx", "a zip archive", "Unpack it"],
])("a zip file with %s is refused by name", async (part, words, remedy) => {
  const message = await refusal(makeZip({ "[Content_Types].xml": "<Types/>", [part]: "x" }));
  expect(message).toContain(`This file is ${words}, which is not read.`);
  expect(message).toContain(remedy);
});

test("an OpenDocument file without its first part is read by the list of its parts", async () => {
  const type = "application/vnd.oasis.opendocument.text";
  const file = makeZip({
    "META-INF/manifest.xml": `<manifest><file-entry full-path="/" media-type="${type}"/></manifest>`,
    "content.xml":
      '<office:document-content xmlns:office="o" xmlns:text="t"><office:body><office:text>' +
      "<text:p>A letter.</text:p></office:text></office:body></office:document-content>",
  });
  const { mediaType, pages } = await extract(file, { filename: "letter.odt" });
  expect([mediaType, pages.map(({ text }) => text)]).toEqual([type, ["A letter."]]);
});
