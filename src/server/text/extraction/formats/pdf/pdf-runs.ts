import { DrawnRuns } from "./drawn-again.ts";
import type { PdfPage } from "./pdf-picture.ts";
import { plainLetters } from "./right-to-left.ts";
import type { StepBudget } from "./step-budget.ts";
import type { TaggedCell } from "./tables/pdf-tables.ts";

/** A run of text on a PDF page, in page units (1/72 inch), y upwards. */
export type TextRun = {
  text: string;
  x: number;
  y: number;
  width: number;
  size: number;
  endsLine: boolean;
  /** The text goes from right to left, and so do the runs of its line. */
  isRightToLeft?: boolean;
  /** The recognition of a picture is not sure of it. */
  isUnsure?: true | undefined;
  /** The cell of a table that the page's structure names. */
  cell?: TaggedCell | undefined;
};

/** A run as the page has it: in the page's own units, before it is turned upright. */
export interface PageRun extends TextRun {
  /** Degrees by which the text is turned anticlockwise, 0 to 359. */
  readonly angle: number;
  /** The marked content of the page's structure that the run belongs to (ISO 32000-1, 14.6). */
  readonly content: string | undefined;
}

type TextContent = Awaited<ReturnType<PdfPage["getTextContent"]>>;

/** Lines of a scan that lay askew are straight lines all the same. */
const straightWithinDegrees = 3;

/**
 * The runs of a page's text, read in parts, so that a page above its budget stops. With `isTagged`
 * each one has the marked content that it belongs to. Runs that are drawn again are left out.
 */
export async function readRuns(
  page: PdfPage,
  budget: StepBudget,
  { isTagged }: { isTagged: boolean },
): Promise<PageRun[]> {
  const steps = budget.ofPage(page.pageNumber);
  const runs: PageRun[] = [];
  const open: (string | undefined)[] = [];
  const drawn = new DrawnRuns();
  const parts: ReadableStream<TextContent> = page.streamTextContent({
    includeMarkedContent: isTagged,
  });
  // A refusal leaves the stream as it is, because the library fails when it is cancelled.
  const reader = parts.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    steps.take(part.value.items.length);
    for (const item of part.value.items) {
      if (!("str" in item)) {
        // Content within marked content, such as a ligature, belongs to the outer one.
        if (item.type === "endMarkedContent") open.pop();
        else open.push(item.id ?? open.at(-1));
        continue;
      }
      const last = runs.at(-1);
      // The content after a line has the end of that line.
      if (item.str === "" && item.hasEOL && last !== undefined) {
        last.endsLine = true;
        continue;
      }
      const [scaleX = 0, slope = 0, skewX = 0, scaleY = 0, x = 0, y = 0] =
        item.transform.map(Number);
      const run: PageRun = {
        text: plainLetters(item.str),
        x,
        y,
        width: item.width,
        size: Math.hypot(skewX, scaleY) || 1,
        endsLine: item.hasEOL,
        isRightToLeft: item.dir === "rtl",
        angle: angleOf(scaleX, slope),
        content: open.at(-1),
      };
      if (!drawn.isAgain(run)) runs.push(run);
      else if (run.endsLine && last !== undefined) last.endsLine = true;
    }
  }
  return runs;
}

function angleOf(scaleX: number, slope: number): number {
  const degrees = Math.round((Math.atan2(slope, scaleX) * 180) / Math.PI);
  const quarter = Math.round(degrees / 90) * 90;
  const angle = Math.abs(degrees - quarter) <= straightWithinDegrees ? quarter : degrees;
  return (angle + 360) % 360;
}
