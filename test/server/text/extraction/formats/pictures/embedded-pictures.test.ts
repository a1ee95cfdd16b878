import { expect, test } from "vitest";
import { notice } from "../../../ocr/notice.ts";
import { extract, makeDocx, paragraph } from "../build-files.ts";

const picture = await Bun.file(notice).bytes();
/** A GIF of one dot. */
const dot = Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64");
const data = Buffer.from(picture).toString("base64");

const pagesOf = async (content: string | Uint8Array, filename: string) =>
  (await extract(content, { filename })).pages.map(({ text, isPicture = false }) =>
    isPicture ? "picture" : text,
  );

test("pictures of a document follow its text, each once, without logos", async () => {
  const media = {
    "word/media/a.png": picture,
    "word/media/b.png": picture,
    "word/media/l.gif": dot,
    "word/media/": "",
  };
  expect(await pagesOf(makeDocx(paragraph("Report."), media), "a.docx")).toEqual([
    "Report.",
    "picture",
  ]);
  const html = `<p>Report.</p><img alt="x" src="data:image/png;base64,${data}">`;
  expect(await pagesOf(html, "a.html")).toEqual(["Report.", "picture"]);
  expect(
    (await extract(makeDocx(paragraph("Report."), media), { filename: "a" })).warnings,
  ).toEqual([]);
  const hex = Buffer.from(picture).toString("hex");
  const rtf = `{\\rtf1 Report.{\\*\\shppict{\\pict{\\*\\picprop{\\sp}}\\picw9\\pngblip\n${hex}}}}`;
  expect(await pagesOf(rtf, "a.rtf")).toEqual(["Report.", "picture"]);
  const withoutLength = `{\\rtf1 Report.{\\pict\\pngblip\\bin ${hex}}}`;
  expect(await pagesOf(withoutLength, "a.rtf")).toEqual(["Report.", "picture"]);
  const mail = `From: a@example.org\nTo: b@example.org\nSubject: Plan\nContent-Type: text/html\n\n${html}`;
  const [body, ...rest] = await pagesOf(mail, "a.eml");
  expect(body).toContain("Report.");
  expect(rest).toEqual(["picture"]);
});

test("pictures that can't be read are named", async () => {
  const media = {
    "word/media/broken.png": picture.subarray(0, 10),
    "word/media/plan.emf": new Uint8Array(20_000),
    "word/media/arrow.emf": new Uint8Array(2_000),
  };
  const { pages, warnings, leftOut } = await extract(makeDocx(paragraph("Report."), media), {
    filename: "a.docx",
  });
  expect(pages).toHaveLength(1);
  expect(leftOut).toBe(warnings[0]);
  expect(warnings).toEqual([
    "The picture broken.png of this document was not read: it is damaged or too large.",
    "The picture plan.emf of this document was not read: it is a drawing (EMF), not a photograph or a scan.",
  ]);
});

test("sound is named as such, and the original of a picture with effects repeats it", async () => {
  const media = { "word/media/hymn.mp3": picture.subarray(0, 10), "word/media/a.wdp": picture };
  const { warnings } = await extract(makeDocx(paragraph("Report."), media), { filename: "a.docx" });
  expect(warnings).toEqual([
    "The recording hymn.mp3 of this document was not read: it is sound or video.",
  ]);
});

test("a damaged part of a picture costs that picture only", async () => {
  const docx = makeDocx(paragraph("Report."), { "word/media/a.png": picture });
  const at = Buffer.from(docx).indexOf("word/media/a.png") + 400;
  docx.fill(0, at, at + 200);
  const { pages, leftOut } = await extract(docx, { filename: "a.docx" });
  expect(pages.map(({ text }) => text)).toEqual(["Report."]);
  expect(leftOut).toContain("a.png");
});
