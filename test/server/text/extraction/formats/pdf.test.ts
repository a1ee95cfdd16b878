import { describe, expect, test } from "vitest";
import { extract, makePdf, pdfLines, failureOf, makePdfOf } from "./build-files.ts";
import { deflateSync } from "node:zlib";

const textOf = async (content: string | Uint8Array, filename: string): Promise<string> =>
  (await extract(content, { filename })).pages.map((page) => page.text).join("\n---\n");

describe("PDF", () => {
  test("wrapped lines are joined, other line ends are kept", async () => {
    const page = pdfLines([
      "The committee noted that the report will come to the meeting of 10 December",
      "2026, and that the decision is due by then. Members asked for a study of the day-",
      "light before that meeting.",
      "Chair: Ruth Calloway",
      "Clerk: Iris Kemp",
    ]);
    expect(await textOf(makePdf([page]), "a.pdf")).toBe(
      "The committee noted that the report will come to the meeting of 10 December 2026, and " +
        "that the decision is due by then. Members asked for a study of the daylight before " +
        "that meeting.\n" +
        "Chair: Ruth Calloway\nClerk: Iris Kemp",
    );
  });

  test.each([
    ["", "(Fee 2011) Tj 0.3 0.2 Td (Fee 2011) Tj -0.3 0 Td (Fee 2011) Tj"],
    ["in steps", "(Fee 2011) Tj 2 0 Td (Fee 2011) Tj 2 0 Td (Fee 2011) Tj"],
    ["in its first part only", "(Fee 2011) Tj 0.3 0 Td (Fee) Tj"],
  ])("a text that is drawn again %s to look bold is read once", async (_name, shown) => {
    const page = `BT /F1 11 Tf 72 760 Td ${shown} ET BT /F1 11 Tf 72 740 Td (balloon 1100) Tj ET`;
    expect(await textOf(makePdf([page]), "a.pdf")).toBe("Fee 2011\n\nballoon 1100");
  });

  test("a text that only begins near another one or comes again farther away stays", async () => {
    const shown = "(Fee 2011) Tj 40 0 Td (Fee 2011) Tj 60 0 Td (l) Tj 2.44 0.1 Td (l) Tj";
    const page = `BT /F1 11 Tf 72 760 Td ${shown} ET`;
    expect(await textOf(makePdf([page]), "a.pdf")).toContain("Fee 2011Fee 2011 ll");
  });

  test("tabs separate columns, empty lines separate paragraphs", async () => {
    const page =
      "BT /F1 11 Tf 72 760 Td (Fee) Tj 200 0 Td (120.00) Tj " +
      "-200 -14 Td (Paid) Tj 200 0 Td (Yes) Tj -200 -40 Td (End of form) Tj ET";
    expect(await textOf(makePdf([page]), "a.pdf")).toBe("Fee\t120.00\nPaid\tYes\n\nEnd of form");
  });

  test("title, author and creation time come from the file's information", async () => {
    const information = "/Title (Site plan) /Author (E. Marsh) /CreationDate (D:20260911093000Z)";
    const document = await extract(makePdf([pdfLines(["x"])], { information }), {
      filename: "a.pdf",
    });
    expect(document.metadata).toEqual({
      title: "Site plan",
      author: "E. Marsh",
      createdAt: "2026-09-11T09:30:00.000Z",
    });
  });

  test("texts that were typed on a page and notes follow its text, but no links", async () => {
    const annotations = [
      "/Subtype /FreeText /Contents (Applicant: W. Aardwolf) /DA (/Helv 12 Tf 0 g)",
      "/Subtype /Text /Contents (Ask for the plan) /T (E. Marsh)",
      "/Subtype /Highlight /Contents (Too high) /QuadPoints [9 9 9 19 99 9 99 19]",
      "/Subtype /Link /Contents (Not this) /A <</S /URI /URI (https://example.org)>>",
    ].map((body) => `<</Type /Annot ${body} /Rect [60 600 400 640] /F 4>>`);
    const page = `/Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 5 0 R`;
    const pdf = makePdfOf([
      { dictionary: "/Type /Catalog /Pages 2 0 R" },
      { dictionary: "/Type /Pages /Kids [4 0 R] /Count 1" },
      { dictionary: "/Type /Font /Subtype /Type1 /BaseFont /Helvetica" },
      {
        dictionary: `${page} /Resources <</Font <</F1 3 0 R>>>> /Annots [${annotations.join(" ")}]`,
      },
      { dictionary: "", stream: Buffer.from(pdfLines(["Application form"])) },
    ]);
    expect(await textOf(pdf, "form.pdf")).toBe(
      "Application form\nApplicant: W. Aardwolf\nNote by E. Marsh: Ask for the plan\nNote: Too high",
    );
  });

  test("a field of a page without its form is read, and a long value from what is drawn", async () => {
    const page = `/Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 5 0 R`;
    const fonts = "/Resources <</Font <</F1 3 0 R>>>>";
    const field = "/Type /Annot /Subtype /Widget /FT /Tx /F 4 /Rect [60 600 400 640]";
    const pdf = makePdfOf([
      { dictionary: "/Type /Catalog /Pages 2 0 R" },
      { dictionary: "/Type /Pages /Kids [4 0 R] /Count 1" },
      { dictionary: "/Type /Font /Subtype /Type1 /BaseFont /Helvetica" },
      {
        dictionary:
          `${page} ${fonts} /Annots [<<${field} /T (agency) /TU (Name of the agency.) /V (Fish and Wildlife)>> ` +
          `<<${field} /T (reasons) /V 6 0 R /AP <</N 7 0 R>>>>]`,
      },
      { dictionary: "", stream: Buffer.from(pdfLines(["Application form"])) },
      { dictionary: "", stream: Buffer.from("stored as a stream") },
      {
        dictionary: `/Type /XObject /Subtype /Form /BBox [0 0 340 40] ${fonts}`,
        stream: Buffer.from(
          "/Tx BMC BT /F1 11 Tf 2 25 Td (The wall is) Tj 0 -14 Td (too high) Tj ET EMC",
        ),
      },
    ]);
    expect(await textOf(pdf, "form.pdf")).toBe(
      "Application form\nName of the agency: Fish and Wildlife\nreasons: The wall is too high",
    );
  });

  test("a signature shows who signed and when", async () => {
    const page = "/Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 5 0 R";
    const form = "/Type /XObject /Subtype /Form /BBox [0 0 340 40]";
    const fonts = "/Resources <</Font <</F1 3 0 R>>>>";
    const signature = "/Type /Annot /Subtype /Widget /FT /Sig /F 132 /T (s1)";
    const shown = "BT /F1 11 Tf 2 25 Td (Signed by R. Calloway) Tj 0 -14 Td (on 3 May 2026) Tj ET";
    const pdf = makePdfOf([
      { dictionary: "/Type /Catalog /Pages 2 0 R" },
      { dictionary: "/Type /Pages /Kids [4 0 R] /Count 1" },
      { dictionary: "/Type /Font /Subtype /Type1 /BaseFont /Helvetica" },
      {
        dictionary:
          `${page} ${fonts} /Annots [<<${signature} /Rect [60 600 400 640] /AP <</N 6 0 R>>>> ` +
          `<<${signature} /Rect [0 0 0 0]>>]`,
      },
      { dictionary: "", stream: Buffer.from(pdfLines(["Contract"])) },
      {
        dictionary: `${form} /Resources <</XObject <</F0 7 0 R>>>>`,
        stream: Buffer.from("q /F0 Do Q"),
      },
      { dictionary: `${form} ${fonts}`, stream: Buffer.from(shown) },
    ]);
    expect(await textOf(pdf, "contract.pdf")).toBe("Contract\nSigned by R. Calloway on 3 May 2026");
  });

  test("a form that only Adobe Reader can show is named, not taken for its notice", async () => {
    const file = makePdfOf([
      { dictionary: "/Type /Catalog /Pages 2 0 R /AcroForm <</Fields [] /XFA 6 0 R>>" },
      { dictionary: "/Type /Pages /Kids [4 0 R] /Count 1" },
      { dictionary: "/Type /Font /Subtype /Type1 /BaseFont /Helvetica" },
      {
        dictionary:
          "/Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 5 0 R " +
          "/Resources <</Font <</F1 3 0 R>>>>",
      },
      { dictionary: "", stream: Buffer.from(pdfLines(["Please wait"])) },
      { dictionary: "", stream: Buffer.from("<xdp:xdp xmlns:xdp='x'/>") },
    ]);
    expect((await extract(file, { filename: "form.pdf" })).leftOut).toContain("(XFA)");
  });

  test("a scan keeps its pages, which are perhaps pictures", async () => {
    const document = await extract(makePdf(["0 0 100 100 re f", ""]), { filename: "scan.pdf" });
    expect(document.pages).toEqual([
      { number: 1, text: "", isPicture: true },
      { number: 2, text: "", isPicture: true },
    ]);
  });
});

describe("PDF", () => {
  const pages = Array.from({ length: 3 }, (_, index) =>
    pdfLines([`Page ${index + 1} of the plan`]),
  );

  test("a file that only begins like a PDF", async () => {
    const error = await failureOf(extract("%PDF-1.7\n%garbage", { filename: "a.pdf" }));
    expect(error.code).toBe("corrupt");
    expect(error.message).toBe(
      "This PDF could not be read: it seems damaged or incomplete. " +
        "Open it on your computer, save it again and send the new file.",
    );
  });

  test("a PDF that is truncated in its first pages is corrupt", async () => {
    const whole = makePdf(pages);
    const cut = whole.subarray(0, 200);
    expect((await failureOf(extract(cut, { filename: "a.pdf" }))).code).toBe("corrupt");
  });

  test("a PDF without its end gives its text and a warning", async () => {
    const whole = makePdf(pages);
    const cut = whole.subarray(0, whole.length - 30);
    const document = await extract(cut, { filename: "a.pdf" });
    expect(document.pages[2]?.text).toBe("Page 3 of the plan");
    expect(document.warnings).toEqual([
      "This PDF is cut off or repaired; some of its text may be missing.",
    ]);
  });

  test("a PDF with a password", async () => {
    const secret = `<${"5a".repeat(32)}>`;
    const file = makePdfOf(
      [
        { dictionary: "/Type /Catalog /Pages 2 0 R" },
        { dictionary: "/Type /Pages /Kids [] /Count 0" },
        { dictionary: `/Filter /Standard /V 1 /R 2 /O ${secret} /U ${secret} /P -4` },
      ],
      "/Encrypt 3 0 R /ID [<00> <00>]",
    );
    const error = await failureOf(extract(file, { filename: "a.pdf" }));
    expect(error.code).toBe("encrypted");
    expect(error.message).toBe(
      "This PDF is protected with a password. Remove the password and send the file again.",
    );
  });

  test("a PDF with too many pages", async () => {
    const file = makePdf(Array.from({ length: 2001 }, () => ""));
    const error = await failureOf(extract(file, { filename: "a.pdf" }));
    expect(error.message).toBe("This file was not read: it has more than 2000 pages.");
  });

  test("a page with invalid PDF syntax stays empty, the others are read", async () => {
    const file = makePdf([pages[0]!, "x"], {
      filter: (content) =>
        content.length > 1
          ? ["/Filter /FlateDecode", deflateSync(content)]
          : ["/Filter /FlateDecode", Buffer.from("not deflated at all")],
    });
    const document = await extract(file, { filename: "a.pdf" });
    expect(document.pages.map((page) => page.text)).toEqual(["Page 1 of the plan", ""]);
  });
});

/** A PDF of two pages; the second one draws a form that draws another one twice, and so on. */
function nestedForms(levels: number, leaf: string): Uint8Array {
  const font = "/Font <</F1 3 0 R>>";
  const page = (contents: number) =>
    `/Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents ${contents} 0 R
    /Resources <<${font} /XObject <</Next 8 0 R>>>>`;
  const forms = Array.from({ length: levels }, (_, level) => ({
    dictionary: `/Type /XObject /Subtype /Form /BBox [0 0 600 800]
      /Resources <<${font} /XObject <</Next ${9 + level} 0 R>>>>`,
    stream: Buffer.from(level === levels - 1 ? leaf : "/Next Do /Next Do"),
  }));
  return makePdfOf([
    { dictionary: "/Type /Catalog /Pages 2 0 R" },
    { dictionary: "/Type /Pages /Kids [4 0 R 5 0 R] /Count 2" },
    { dictionary: "/Type /Font /Subtype /Type1 /BaseFont /Helvetica" },
    { dictionary: page(6) },
    { dictionary: page(7) },
    { dictionary: "", stream: Buffer.from(pdfLines(["Plan"])) },
    { dictionary: "", stream: Buffer.from("/Next Do") },
    ...forms,
  ]);
}

describe("a PDF whose forms draw forms", () => {
  const limits = { pageSteps: 1_000 };
  const refusal =
    "This file was not read: page 2 has more than 1000 pieces, with those of its forms.";

  test("is read within its budget of pieces", async () => {
    const text = await extract(nestedForms(4, pdfLines(["Wall"])), { filename: "a.pdf", limits });
    expect(text.pages[1]?.text).toContain("Wall");
  });

  test("is refused above it, with the page, before all its text is read", async () => {
    const bytes = nestedForms(13, pdfLines(["Wall"]));
    const failure = await failureOf(extract(bytes, { filename: "a.pdf", limits }));
    expect(failure).toMatchObject({ code: "limit-exceeded", message: refusal });
    const all = { documentSteps: 1_000 };
    const ofAll = await failureOf(extract(bytes, { filename: "a.pdf", limits: all }));
    expect(ofAll.message).toContain("its pages up to 2 have more than 1000 pieces");
  });

  test("is refused above it where its picture is drawn", async () => {
    const drawn: string[] = [];
    const failure = await failureOf(
      extract(nestedForms(13, "0 0 9 9 re f"), {
        filename: "a.pdf",
        limits,
        async onPage({ number, isPicture }, picture) {
          if (isPicture && picture !== undefined) drawn.push(`${number} ${(await picture()).kind}`);
        },
      }),
    );
    expect(failure).toMatchObject({ code: "limit-exceeded", message: refusal });
    expect(drawn).toEqual([]);
  });
});
