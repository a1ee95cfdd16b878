import { burn } from "@kenjiuno/msgreader/lib/Burner";

type Entry = Parameters<typeof burn>[0][number];
const kinds = { file: 2, root: 5 } as const;

/** A compound file (MS-CFB) with these streams. */
export function compoundFile(streams: Readonly<Record<string, Uint8Array>>): Uint8Array {
  const files = Object.entries(streams).map(([name, bytes]): Entry => {
    return { name, type: kinds.file, length: bytes.length, binaryProvider: () => bytes };
  });
  const children = files.map((_, index) => index + 1);
  const root: Entry = { name: "Root Entry", type: kinds.root, length: 0, children };
  return Uint8Array.from(burn([root, ...files]));
}

/** An object that is a file which Windows has packed (`Ole10Native`). */
export function packedFile(label: string, content: Uint8Array): Uint8Array {
  const body = packedBytes(label, content);
  const stream = Buffer.concat([number(body.length, 4), body]);
  return compoundFile({ "\u0001CompObj": Buffer.from("Package\0"), "\u0001Ole10Native": stream });
}

/** The data of an object of an RTF file, as hexadecimal digits. */
export function objectOfRtf(program: string, data: Uint8Array): string {
  const name = Buffer.from(`${program}\0`);
  const head = [number(0x501, 4), number(2, 4), number(name.length, 4), name];
  const parts = [...head, number(0, 4), number(0, 4), number(data.length, 4), data];
  return Buffer.concat(parts).toString("hex");
}

export function packedBytes(label: string, content: Uint8Array): Buffer {
  const path = Buffer.from("C:\\Temp\\file\0");
  return Buffer.concat([
    number(2, 2),
    Buffer.from(`${label}\0`),
    path,
    number(0, 2),
    number(3, 2),
    number(path.length, 4),
    path,
    number(content.length, 4),
    content,
  ]);
}

function number(value: number, bytes: number): Buffer {
  const buffer = Buffer.alloc(bytes);
  buffer.writeUIntLE(value, 0, bytes);
  return buffer;
}
