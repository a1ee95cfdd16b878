import { join } from "node:path";
import { crc32, deflateSync, inflateSync } from "node:zlib";
import { accuracy, notice, noticeText } from "../../../test/server/text/ocr/notice.ts";
import { executable } from "../../build/executable.ts";
import { mebibytes, type Group } from "../figures.ts";
import { peakBytes } from "#test/support/process-use.ts";

const goals = { accuracy: 0.95, seconds: 5 } as const;
const copies = 5;
const watchMs = 20;

/** A full page at 300 dpi, read in the child process of the executable. */
export function scannedPage(directory: string): Group {
  return {
    name: `a scanned page of ${copies * 6} lines (goals ${goals.accuracy}, ${goals.seconds} s)`,
    columns: ["characters", "time", "peak of the child"],
    async measure() {
      const path = join(directory, "scan.png");
      await Bun.write(path, fullPage(await Bun.file(notice).bytes()));
      const startedAt = performance.now();
      const child = Bun.spawn(
        [executable, "__extract", path, "scan.png", "image/png", JSON.stringify({ pages: [1] })],
        { env: {}, stdio: ["ignore", "pipe", "inherit"] },
      );
      let peak = 0;
      const watch = setInterval(() => {
        void peakBytes(child.pid).then((bytes) => (peak = Math.max(peak, bytes ?? 0)));
      }, watchMs);
      const output = await child.stdout.text();
      clearInterval(watch);
      const seconds = (performance.now() - startedAt) / 1000;
      const share = accuracy(textOf(output), Array(copies).fill(noticeText).join(" "));
      const figures = [share.toFixed(3), `${seconds.toFixed(1)} s`, mebibytes(peak)];
      const holds = share >= goals.accuracy && seconds < goals.seconds;
      return [{ name: holds ? "holds" : "missed", figures }];
    },
  };
}

/** The text of the first page in the lines of a child. */
function textOf(output: string): string {
  for (const line of output.split("\n")) {
    const parsed: unknown = line === "" ? {} : JSON.parse(line);
    const text: unknown = Reflect.get(Object(parsed), "text");
    if (typeof text === "string") return text.replace(/\s+/g, " ").trim();
  }
  return "";
}

/** The rows of the notice several times below each other, as a PNG file. */
function fullPage(png: Uint8Array): Uint8Array {
  const view = new DataView(png.buffer, png.byteOffset);
  const [first, ...others] = chunksOf(png, view);
  const packed = others.filter(({ type }) => type === "IDAT").map(({ data }) => data);
  const rows = inflateSync(Buffer.concat(packed));
  const header = Buffer.from(first?.data ?? []);
  header.writeUInt32BE(header.readUInt32BE(4) * copies, 4);
  const page = deflateSync(Buffer.concat(Array<Buffer>(copies).fill(rows)));
  return Buffer.concat([
    png.subarray(0, 8),
    chunk("IHDR", header),
    chunk("IDAT", page),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunksOf(png: Uint8Array, view: DataView) {
  const chunks: { readonly type: string; readonly data: Uint8Array }[] = [];
  for (let at = 8; at < png.length; at += 12 + view.getUint32(at)) {
    const type = new TextDecoder().decode(png.subarray(at + 4, at + 8));
    chunks.push({ type, data: png.subarray(at + 8, at + 8 + view.getUint32(at)) });
  }
  return chunks;
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}
