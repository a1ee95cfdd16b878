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
  const path = Buffer.from("C:\\Temp\\file\0");
  const body = Buffer.concat([
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
  const stream = Buffer.concat([number(body.length, 4), body]);
  return compoundFile({ "\u0001CompObj": Buffer.from("Package\0"), "\u0001Ole10Native": stream });
}

function number(value: number, bytes: number): Buffer {
  const buffer = Buffer.alloc(bytes);
  buffer.writeUIntLE(value, 0, bytes);
  return buffer;
}
