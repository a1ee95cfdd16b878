import type { ScannedPage } from "./scanned-pdf.ts";
import { join } from "node:path";

/** A notice of six lines, scanned at 300 dots per inch in one bit. */
export const notice = join(import.meta.dirname, "pictures/notice.png");

/** The text of the picture, as it was typeset. */
export const noticeText =
  "Northwind Council: notice of decision PA-2026-0142 " +
  "The committee met on 12 November 2026 and granted permission " +
  "to Quayside Bakery Limited for a restaurant at 18 Quay Street, " +
  "Northwind NW6 8GL, with outdoor seating for twenty-four guests. " +
  "The fee of GBP 1,462.00 was paid on 3 September 2026. " +
  "Deliveries are made between nine and eleven in the morning.";

/** The share of the characters that are right, by the edit distance. */
export function accuracy(text: string, written = noticeText): number {
  let row = Array.from({ length: text.length + 1 }, (_, index) => index);
  for (const [index, letter] of written.split("").entries()) {
    const next = [index + 1];
    for (const [at, other] of text.split("").entries()) {
      const changed = (row[at] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min((row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1, changed));
    }
    row = next;
  }
  return 1 - (row.at(-1) ?? 0) / written.length;
}

/** The one-bit picture of the notice, as a page of a PDF may have it. */
export async function noticePage(change: Partial<ScannedPage> = {}): Promise<ScannedPage> {
  const bytes = await Bun.file(notice).bytes();
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const chunks: Uint8Array[] = [];
  for (let at = 8; at < bytes.length; at += 12 + view.getUint32(at)) {
    const type = new TextDecoder().decode(bytes.subarray(at + 4, at + 8));
    if (type === "IDAT") chunks.push(bytes.subarray(at + 8, at + 8 + view.getUint32(at)));
  }
  const [width, height] = [view.getUint32(16), view.getUint32(20)];
  return { width, height, bits: 1, predictor: true, data: Buffer.concat(chunks), ...change };
}
