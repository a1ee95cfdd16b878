/** A page of a PDF: an image, a line of text, paths, or nothing. */
export interface ScannedPage {
  readonly text?: string;
  /** Operators that draw the paths. */
  readonly paths?: string;
  readonly width?: number;
  readonly height?: number;
  readonly bits?: 1 | 8;
  /** The rows of pixels, deflated, or as `coding` says. */
  readonly data?: Uint8Array;
  /** The filter of the rows with its parameters, such as `/Filter /JPXDecode`. */
  readonly coding?: string;
  /** The rows have the filters of PNG. */
  readonly predictor?: boolean;
  /** The image is a stencil: its dark dots are painted. */
  readonly isMask?: boolean;
  /** Operators after the image, such as the hidden text of a scanner; the font is `/F`. */
  readonly layer?: string;
  /** The image lies on its side, and the page is shown turned. */
  readonly turned?: boolean;
}

/** A PDF of pages as a scanner writes them, at 300 dpi. */
export function scannedPdf(pages: readonly ScannedPage[]): Uint8Array {
  const objects: Buffer[] = [];
  const add = (body: string, stream?: Uint8Array): number => {
    const parts: Uint8Array[] = [Buffer.from(body)];
    if (stream !== undefined) {
      parts.push(Buffer.from("\nstream\n"), stream, Buffer.from("\nendstream"));
    }
    objects.push(Buffer.concat(parts));
    return objects.length;
  };
  add("<< /Type /Catalog /Pages 2 0 R >>");
  add("");
  const font = add("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>");
  const kids: number[] = [];
  for (const page of pages) {
    const { text, width = 612, height = 792, bits = 1, data, isMask, turned } = page;
    const { coding = "/Filter /FlateDecode" } = page;
    const [wide, high] = [(width * 72) / 300, (height * 72) / 300];
    let content = text === undefined ? (page.paths ?? "") : `BT /F 12 Tf 20 400 Td (${text}) Tj ET`;
    let resources = `/Font << /F ${font} 0 R >>`;
    if (data !== undefined) {
      const parameters = page.predictor
        ? `/DecodeParms << /Predictor 15 /Colors 1 /BitsPerComponent ${bits} /Columns ${width} >>`
        : "";
      const colours = isMask ? "/ImageMask true" : "/ColorSpace /DeviceGray";
      const image = add(
        `<< /Type /XObject /Subtype /Image /Width ${width} /Height ${height} ` +
          `/BitsPerComponent ${bits} ${colours} ${coding} ${parameters} ` +
          `/Length ${data.length} >>`,
        data,
      );
      resources = `/Font << /F ${font} 0 R >> /XObject << /I ${image} 0 R >>`;
      content = turned
        ? `q 0 ${wide} ${-high} 0 ${high} 0 cm /I Do Q`
        : `q ${wide} 0 0 ${high} 0 0 cm 0 g /I Do Q ${page.layer ?? ""}`;
    }
    const stream = Buffer.from(content);
    const contents = add(`<< /Length ${stream.length} >>`, stream);
    const [boxWide, boxHigh] = turned ? [high, wide] : [wide, high];
    const box = data === undefined ? "0 0 612 792" : `0 0 ${boxWide} ${boxHigh}`;
    kids.push(
      add(
        `<< /Type /Page /Parent 2 0 R /MediaBox [${box}] ${turned ? "/Rotate 90" : ""} ` +
          `/Resources << ${resources} >> /Contents ${contents} 0 R >>`,
      ),
    );
  }
  const references = kids.map((kid) => `${kid} 0 R`).join(" ");
  objects[1] = Buffer.from(`<< /Type /Pages /Kids [${references}] /Count ${kids.length} >>`);
  return joined(objects);
}

function joined(objects: readonly Buffer[]): Uint8Array {
  const parts: Buffer[] = [Buffer.from("%PDF-1.7\n")];
  const offsets: number[] = [];
  let length = parts[0]?.length ?? 0;
  const push = (part: Buffer): void => {
    parts.push(part);
    length += part.length;
  };
  for (const [index, body] of objects.entries()) {
    offsets.push(length);
    push(Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), body, Buffer.from("\nendobj\n")]));
  }
  const start = length;
  const rows = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  const size = objects.length + 1;
  push(
    Buffer.from(
      `xref\n0 ${size}\n0000000000 65535 f \n${rows}` +
        `trailer << /Size ${size} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`,
    ),
  );
  return Buffer.concat(parts);
}
