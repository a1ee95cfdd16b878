import { constants, open } from "node:fs/promises";

export interface RegularFileOptions {
  /** False refuses a path that is a symbolic link (`ELOOP`). Default true. */
  readonly followsLinks?: boolean;
}

/**
 * Reads a file of at most `maximumBytes`. Throws the system's error, `EFTYPE` for a pipe, a device
 * or a folder, whose reading might not end, and `EFBIG` for a larger file.
 */
export async function readRegularFile(
  path: string,
  maximumBytes: number,
  { followsLinks = true }: RegularFileOptions = {},
): Promise<Uint8Array> {
  // The open of a pipe waits for its writer unless O_NONBLOCK is set.
  const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);
  const file = await open(path, followsLinks ? flags : flags | (constants.O_NOFOLLOW ?? 0));
  try {
    const facts = await file.stat();
    if (!facts.isFile()) throw refusal(path, "EFTYPE");
    if (facts.size > maximumBytes) throw refusal(path, "EFBIG");
    const bytes = new Uint8Array(facts.size);
    let length = 0;
    while (length < bytes.byteLength) {
      const { bytesRead } = await file.read(bytes, length, bytes.byteLength - length);
      if (bytesRead === 0) break;
      length += bytesRead;
    }
    return bytes.subarray(0, length);
  } finally {
    await file.close();
  }
}

function refusal(path: string, code: "EFTYPE" | "EFBIG"): Error {
  return Object.assign(new Error(`${code}: ${path}`), { code, path });
}
