import { crc32, deflateSync, inflateSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { readPng, writePng } from "../../../scripts/screens/png.ts";

const signature = Buffer.from("\u0089PNG\r\n\u001a\n", "latin1");

function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

/** A PNG of 8 bits in colours, from rows with their filters. */
function png(width: number, rows: readonly number[][], kind = 2): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(rows.length, 4);
  header.set([8, kind], 8);
  const data = deflateSync(Buffer.from(rows.flat()));
  return Buffer.concat([signature, chunk("IHDR", header), chunk("IDAT", data)]);
}

/** The chunks of a PNG by their names. */
function chunksOf(file: Buffer): Map<string, Buffer> {
  const chunks = new Map<string, Buffer>();
  for (let at = signature.length; at < file.length;) {
    const length = file.readUInt32BE(at);
    chunks.set(file.toString("latin1", at + 4, at + 8), file.subarray(at + 8, at + 8 + length));
    at += length + 12;
  }
  return chunks;
}

describe("a PNG", () => {
  test("is read with each filter", () => {
    const rows = [
      [0, 10, 20, 30, 40, 50, 60],
      [1, 10, 20, 30, 30, 30, 30],
      [2, 0, 0, 0, 0, 0, 0],
      [3, 5, 10, 15, 15, 15, 15],
      [4, 0, 0, 0, 0, 0, 0],
    ];
    const first = [10, 20, 30, 40, 50, 60];
    // Half of what is above, and half of the sum of both neighbours; then the nearest neighbour.
    const fourth = [10, 20, 30, 40, 50, 60];
    expect([...readPng(png(2, rows)).rgb]).toEqual([first, first, first, fourth, fourth].flat());
  });

  test("is read without its transparency, and refused in another form", () => {
    expect([...readPng(png(1, [[0, 1, 2, 3, 255]], 6)).rgb]).toEqual([1, 2, 3]);
    expect(() => readPng(png(1, [[0, 9]], 0))).toThrow("only PNG files of 8 bits in colours");
  });

  test("is written with the colour of one word among many frequent ones", () => {
    const grays = Array.from({ length: 3_000 }, (_, at) => {
      const gray = at % 200;
      return [gray, gray + (at % 3), gray];
    });
    const rgb = Uint8Array.from([...grays, ...grays, [210, 153, 34], [210, 153, 34]].flat());
    const table = chunksOf(Buffer.from(writePng({ width: 2, height: 3_001, rgb }))).get("PLTE");
    const colours = Array.from({ length: 256 }, (_, at) =>
      (table ?? Buffer.alloc(0)).readUIntBE(at * 3, 3),
    );
    expect(colours).toContain(0xd2_99_22);
    expect(new Set(colours).size).toBe(256);
  });

  test("is written with a table of its most frequent colours, the nearest ones for others", () => {
    const dots = Array.from({ length: 300 }, (_, at) => [at % 256, at < 256 ? 0 : 1, 0]);
    const rgb = Uint8Array.from([...dots, ...dots.slice(0, 256)].flat());
    const chunks = chunksOf(Buffer.from(writePng({ width: 4, height: 139, rgb })));
    const table = chunks.get("PLTE") ?? Buffer.alloc(0);
    expect(table).toHaveLength(256 * 3);
    const rows = inflateSync(chunks.get("IDAT") ?? Buffer.alloc(0));
    const colourOf = (dot: number): number[] => {
      const index = rows[Math.floor(dot / 4) * 5 + 1 + (dot % 4)] ?? 0;
      return [...table.subarray(index * 3, index * 3 + 3)];
    };
    expect(colourOf(7)).toEqual([7, 0, 0]);
    expect(colourOf(256 + 7)).toEqual([7, 0, 0]);
  });
});
