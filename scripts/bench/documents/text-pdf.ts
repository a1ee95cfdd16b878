import { deflateSync } from "node:zlib";

const linesOfPage = 44;
const wordsOfLine = 12;
const words =
  "the proposal site council permission street height parking access drainage storey roof wall " +
  "neighbour objection committee report condition affordable dwelling assessment flood transport " +
  "elevation material highway officer consultation policy boundary would was is of and in to from " +
  "with application recommended approved subject development existing building garden north south";
const vocabulary = words.split(" ");

/** A PDF of pages of running text, about 3,300 letters each, packed as programs write them. */
export function textPdf(seed: number, pages: number): Uint8Array {
  const objects: Buffer[] = [
    Buffer.from("<< /Type /Catalog /Pages 2 0 R >>"),
    Buffer.alloc(0),
    Buffer.from(
      "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    ),
  ];
  const kids: string[] = [];
  for (let page = 1; page <= pages; page += 1) {
    const packed = deflateSync(pageContent(seed, page));
    objects.push(
      Buffer.concat([
        Buffer.from(`<< /Filter /FlateDecode /Length ${packed.length} >>\nstream\n`),
        packed,
        Buffer.from("\nendstream"),
      ]),
    );
    const contents = objects.length;
    objects.push(
      Buffer.from(
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] " +
          `/Resources << /Font << /F 3 0 R >> >> /Contents ${contents} 0 R >>`,
      ),
    );
    kids.push(`${objects.length} 0 R`);
  }
  objects[1] = Buffer.from(`<< /Type /Pages /Kids [${kids.join(" ")}] /Count ${pages} >>`);
  return withTable(objects);
}

function pageContent(seed: number, page: number): string {
  let state = (seed * 7_919 + page * 104_729 + 1) >>> 0;
  const next = (limit: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state >>> 8) % limit;
  };
  const lines = Array.from({ length: linesOfPage }, () =>
    Array.from({ length: wordsOfLine }, () => vocabulary[next(vocabulary.length)]).join(" "),
  );
  const written = [`Report ${seed}, page ${page}`, ...lines]
    .map((line) => `(${line}) Tj 0 -16 Td`)
    .join("\n");
  return `BT /F 9 Tf 50 790 Td\n${written}\nET`;
}

function withTable(objects: readonly Buffer[]): Uint8Array {
  const parts: Buffer[] = [Buffer.from("%PDF-1.7\n")];
  const rows: string[] = [];
  let length = parts[0]?.length ?? 0;
  for (const [index, body] of objects.entries()) {
    rows.push(`${String(length).padStart(10, "0")} 00000 n \n`);
    const part = Buffer.concat([
      Buffer.from(`${index + 1} 0 obj\n`),
      body,
      Buffer.from("\nendobj\n"),
    ]);
    parts.push(part);
    length += part.length;
  }
  const size = objects.length + 1;
  parts.push(
    Buffer.from(
      `xref\n0 ${size}\n0000000000 65535 f \n${rows.join("")}` +
        `trailer << /Size ${size} /Root 1 0 R >>\nstartxref\n${length}\n%%EOF\n`,
    ),
  );
  return Buffer.concat(parts);
}
