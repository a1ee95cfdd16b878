import { directoriesOf, makeFirst } from "../../ocr/tiff-directories.ts";
import type { FormatReader } from "../extracted-document.ts";

const kindOfPicture = 254;
/** A small copy of another picture. */
const reduced = 1;

/**
 * Each picture of the file is a page without text; its text is recognised later. The picture of a
 * page is the file with that page first, without a copy: it is valid until the next one is read.
 */
export const extractTiff: FormatReader = async (bytes, limits, writer) => {
  // One more than the limit, for which the writer refuses the file.
  const pages = directoriesOf(bytes, limits.pages + 1).filter(
    (directory) => ((directory.valueOf(kindOfPicture) ?? 0) & reduced) === 0,
  );
  const total = Math.max(1, pages.length);
  for (let index = 0; index < total; index += 1) {
    const page = pages[index];
    await writer.page("", async () => {
      if (page !== undefined) makeFirst(bytes, page);
      return { kind: "picture", bytes };
    });
    await writer.progress(index + 1, total);
  }
  return {};
};
