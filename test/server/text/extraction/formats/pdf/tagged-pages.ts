import { makePdfOf } from "../build-files.ts";

const objectsBefore = 5;

/** A PDF whose structure has an element for each of many pieces of text, as browsers print it. */
export function taggedPages(pages: number, piecesOfPage: number): Uint8Array {
  const objectsOfPage = 3 + piecesOfPage;
  const firstOf = (page: number): number => objectsBefore + page * objectsOfPage;
  const numbers = Array.from({ length: pages }, (_, page) => firstOf(page));
  const references = (objects: readonly number[]): string =>
    objects.map((object) => `${object} 0 R`).join(" ");
  const piecesOf = (first: number): number[] =>
    Array.from({ length: piecesOfPage }, (_, index) => first + 3 + index);
  const parents = numbers.map((first, page) => `${page} [${references(piecesOf(first))}]`);
  const own = numbers.flatMap((first, page) => {
    const pieces = piecesOf(first);
    const content = pieces.map(
      (_, index) =>
        `/P <</MCID ${index}>> BDC BT /F1 6 Tf ${20 + (index % 8) * 70} ` +
        `${820 - Math.floor(index / 8) * 20} Td (word${page}x${index}) Tj ET EMC`,
    );
    return [
      {
        dictionary:
          `/Type /Page /Parent 2 0 R /StructParents ${page} /MediaBox [0 0 595 842] ` +
          `/Resources <</Font <</F1 3 0 R>>>> /Contents ${first + 1} 0 R`,
      },
      { dictionary: "", stream: Buffer.from(content.join("\n")) },
      { dictionary: `/Type /StructElem /S /Sect /P 4 0 R /K [${references(pieces)}]` },
      ...pieces.map((_, index) => ({
        dictionary:
          `/Type /StructElem /S /P /P ${first + 2} 0 R /Pg ${first} 0 R /K ${index} ` +
          `/A [<</O /Layout /Placement /Block /BBox [1 2 3 4] /SpaceBefore 12.5>>]`,
      })),
    ];
  });
  return makePdfOf([
    { dictionary: "/Type /Catalog /Pages 2 0 R /MarkInfo <</Marked true>> /StructTreeRoot 4 0 R" },
    { dictionary: `/Type /Pages /Count ${pages} /Kids [${references(numbers)}]` },
    { dictionary: "/Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding" },
    {
      dictionary:
        `/Type /StructTreeRoot /K [${references(numbers.map((first) => first + 2))}] ` +
        `/ParentTree <</Nums [${parents.join(" ")}]>>`,
    },
    ...own,
  ]);
}
