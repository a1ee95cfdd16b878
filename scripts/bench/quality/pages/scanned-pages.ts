import { chromium } from "playwright-core";
import { findChromium } from "../../../tools.ts";
import { form, ledger, prose, type PageBody } from "./page-texts.ts";

/** A page as an office scans it, with the text that it shows. */
export interface ScannedPage {
  readonly kind: string;
  readonly name: string;
  readonly text: string;
  readonly picture: Uint8Array;
}

interface Sheet {
  readonly kind: string;
  readonly body: PageBody;
  readonly dpi?: number;
  readonly font?: string;
  /** Points of the letters; 11 if it is missing. */
  readonly size?: number;
  /** The turn of the page, in degrees clockwise. */
  readonly turned?: number;
  /** A filter of CSS, such as low contrast. */
  readonly filter?: string;
  readonly isA3?: boolean;
  /** JPEG of this quality instead of PNG. */
  readonly quality?: number;
}

const fonts = ["Nimbus Roman", "Nimbus Sans", "DejaVu Serif", "P052", "URW Bookman", "C059"];
const faint = "contrast(0.35) brightness(1.35) blur(0.4px)";

/** The pages of each kind, from a seed. */
function sheets(seed: number): readonly Sheet[] {
  const text = (add: number, paragraphs = 7, columns = 1): PageBody =>
    prose(seed + add, { paragraphs, columns });
  const prints = fonts.map((font, at): Sheet => ({ kind: "print", font, body: text(at) }));
  const turns = [90, 180, 270].map((turned, at): Sheet => ({
    kind: "turned",
    turned,
    body: text(10 + at, 5 + at),
  }));
  const skews = [-5, -2, 1.3, 3.5, 5].map((turned, at): Sheet => ({
    kind: "skew",
    turned,
    body: text(20 + at, 6),
  }));
  return [
    ...prints,
    { kind: "print", body: text(7), size: 8, font: "Nimbus Sans" },
    ...turns,
    { kind: "turned", turned: 90, body: ledger(seed + 15, "1px solid #000") },
    { kind: "turned", turned: 180, body: text(16, 8, 2) },
    ...skews,
    { kind: "columns", body: text(30, 9, 2) },
    { kind: "columns", body: text(31, 8, 2), font: "Nimbus Roman" },
    { kind: "columns", body: text(32, 9, 3), size: 9, font: "Nimbus Roman" },
    { kind: "table", body: ledger(seed + 40, "1px solid #000") },
    { kind: "table", body: ledger(seed + 41, "2px solid #333"), font: "Nimbus Sans" },
    { kind: "table", body: ledger(seed + 42, "0"), font: "Nimbus Sans" },
    { kind: "table", body: ledger(seed + 43, "1px dotted #000"), size: 9 },
    { kind: "form", body: form(seed + 50) },
    { kind: "form", body: form(seed + 51), font: "Nimbus Sans" },
    { kind: "faint", body: text(60), filter: faint },
    { kind: "faint", body: text(61, 6), filter: `${faint} invert(1)`, quality: 70 },
    { kind: "A3", body: text(70, 16, 2), isA3: true },
    { kind: "A3", body: text(71, 14), isA3: true },
    { kind: "500 to 600 dpi", body: text(80), dpi: 500, quality: 80 },
    { kind: "500 to 600 dpi", body: text(81, 5), dpi: 600, quality: 80 },
    { kind: "150 to 200 dpi", body: text(90), dpi: 150, quality: 70 },
    { kind: "150 to 200 dpi", body: text(91), dpi: 200, quality: 50 },
  ];
}

/** Draws the pages with Chromium; their fonts are Debian's. */
export async function scannedPages(seed: number): Promise<readonly ScannedPage[]> {
  const executablePath = await findChromium();
  if (executablePath === undefined) throw new Error("needs Chromium, to draw pages");
  const browser = await chromium.launch({ executablePath, chromiumSandbox: false });
  try {
    const pages: ScannedPage[] = [];
    for (const [index, sheet] of sheets(seed).entries()) {
      const [width, height] = sizeOf(sheet);
      const page = await browser.newPage({
        viewport: { width, height },
        deviceScaleFactor: (sheet.dpi ?? 300) / 96,
      });
      await page.setContent(htmlOf(sheet));
      const { quality } = sheet;
      const picture = await page.screenshot(
        quality === undefined ? { type: "png" } : { type: "jpeg", quality },
      );
      await page.close();
      const name = `${index}-${sheet.kind.replaceAll(" ", "-")}`;
      pages.push({ kind: sheet.kind, name, text: sheet.body.text, picture });
    }
    return pages;
  } finally {
    await browser.close();
  }
}

/** A4 or A3 in units of 1/96 inch; a page on its side is wider than it is high. */
function sizeOf({ isA3 = false, turned = 0 }: Sheet): [number, number] {
  const [width, height] = isA3 ? [1123, 1587] : [794, 1123];
  return turned % 180 === 90 ? [height, width] : [width, height];
}

function htmlOf(sheet: Sheet): string {
  const { font = "DejaVu Sans", size = 11, turned = 0, filter = "none" } = sheet;
  const [width, height] = sheet.isA3 === true ? [1123, 1587] : [794, 1123];
  const [wide, high] = sizeOf(sheet);
  const place = `position:absolute;left:${(wide - width) / 2}px;top:${(high - height) / 2}px;`;
  return `<!doctype html><meta charset="utf-8"><style>
    html{background:#fff;overflow:hidden} body{margin:0;filter:${filter};width:${wide}px;height:${high}px;background:#fff}
    main{${place}width:${width}px;height:${height}px;box-sizing:border-box;padding:70px 75px;
      transform:rotate(${turned}deg);font:${size}pt/1.35 "${font}";hyphens:manual}
    h1{font-size:1.4em;margin:0 0 1em} p{margin:0 0 .8em}
    </style><body><main>${sheet.body.html}</main></body>`;
}
