import { readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { brotli } from "./kept-compression.ts";

const archive = "pdf-data.br";
/** Character maps of Chinese, Japanese and Korean fonts; decoders of fax, JBIG2 and JPEG 2000. */
const wanted: Readonly<Record<string, RegExp>> = {
  cmaps: /\.bcmap$/,
  wasm: /^(?:jbig2|openjpeg)\.wasm$/,
};

/**
 * The module that stands for `pdf-data.ts` in the executable. Its archive is a line of JSON, from
 * the name of each file to its start and end, and then the bytes of all files.
 */
export async function addPdfData(
  stored: Map<string, Uint8Array>,
  inputs: string[],
): Promise<string> {
  const root = join(dirname(Bun.resolveSync("pdfjs-dist", import.meta.dirname)), "..");
  const places: Record<string, readonly [start: number, end: number]> = {};
  const parts: Uint8Array[] = [];
  let size = 0;
  for (const [folder, pattern] of Object.entries(wanted)) {
    const names = await readdir(join(root, folder));
    for (const name of names.filter((each) => pattern.test(each)).toSorted()) {
      const path = join(root, folder, name);
      inputs.push(path);
      const bytes = await Bun.file(path).bytes();
      places[`${folder}/${name}`] = [size, size + bytes.length];
      parts.push(bytes);
      size += bytes.length;
    }
  }
  const header = Buffer.from(`${JSON.stringify(places)}\n`);
  stored.set(archive, await brotli(Buffer.concat([header, ...parts])));
  return [
    `import { brotliDecompressSync } from "node:zlib";`,
    `import path from ${JSON.stringify(`compressed:${archive}`)} with { type: "file" };`,
    "let files;",
    "export async function pdfData(folder, file) {",
    "  files ??= brotliDecompressSync(await Bun.file(path).bytes());",
    "  const start = files.indexOf(10) + 1;",
    "  const places = JSON.parse(files.subarray(0, start).toString());",
    "  const place = places[`${folder}/${file}`];",
    '  if (place === undefined) throw new Error("No such file of the PDF library");',
    "  return files.slice(start + place[0], start + place[1]);",
    "}",
  ].join("\n");
}
