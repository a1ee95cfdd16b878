/** Bytes of a stored module that its source has as base64 text. */
export interface EncodedPart {
  readonly start: number;
  readonly length: number;
}

/** Imports an ES module that the executable has compressed with Zstandard. */
export async function importCompressed<Module>(
  path: string,
  encoded?: EncodedPart,
): Promise<Module> {
  const stored = Bun.zstdDecompressSync(await Bun.file(path).bytes());
  const source = encoded === undefined ? [stored] : textParts(stored, encoded);
  const address = URL.createObjectURL(new Blob(source, { type: "text/javascript" }));
  try {
    return (await import(address)) as Module;
  } finally {
    URL.revokeObjectURL(address);
  }
}

/**
 * The default export of a library, as the runtime gives it: a bundle of CommonJS has all exports as
 * its default one, and those of a former ES module have their own default among them.
 */
export function defaultOf(exported: unknown): unknown {
  const isMarked =
    typeof exported === "object" &&
    exported !== null &&
    "__esModule" in exported &&
    exported.__esModule === true;
  return isMarked && "default" in exported ? exported.default : exported;
}

function textParts(stored: Buffer, { start, length }: EncodedPart): Bun.BlobPart[] {
  const end = start + length;
  const program = stored.toString("base64", start, end);
  return [stored.subarray(0, start), program, stored.subarray(end)];
}
