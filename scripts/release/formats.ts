/**
 * An executable for another machine is checked without running it: its format, its processor, and
 * on macOS the digests of its ad-hoc signature, without which the system kills it.
 */
import type { ReleaseTarget } from "./targets.ts";

const machine = {
  x64: { elf: 0x3e, machO: 0x0100_0007, pe: 0x8664 },
  arm64: { elf: 0xb7, machO: 0x0100_000c, pe: 0xaa64 },
} as const;

const interpreters = {
  "linux-x64": "/lib64/ld-linux-x86-64.so.2",
  "linux-x64-baseline": "/lib64/ld-linux-x86-64.so.2",
  "linux-x64-musl": "/lib/ld-musl-x86_64.so.1",
  "linux-arm64": "/lib/ld-linux-aarch64.so.1",
} as const;

/** Throws when the executable is not one for the target. */
export function checkFormat({ name, npm }: ReleaseTarget, bytes: Uint8Array): void {
  const processor = machine[npm.cpu === "arm64" ? "arm64" : "x64"];
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const fail = (reason: string): never => {
    throw new Error(`the executable for ${name} ${reason}`);
  };
  if (npm.os === "linux") {
    if (view.getUint32(0) !== 0x7f45_4c46) fail("is not in ELF format");
    if (view.getUint16(18, true) !== processor.elf) fail("is for another processor");
    const found = interpreterOf(view);
    const wanted = Object.entries(interpreters).find(([target]) => target === name)?.[1];
    if (wanted !== undefined && found !== wanted) fail(`has the loader ${found}`);
  } else if (npm.os === "darwin") {
    if (view.getUint32(0, true) !== 0xfeed_facf) fail("is not in Mach-O format");
    if (view.getUint32(4, true) !== processor.machO) fail("is for another processor");
    const { pages, wrong } = signedPages(bytes);
    if (pages === 0 || wrong.length > 0) fail(`has ${wrong.length} of ${pages} pages unsigned`);
  } else {
    if (view.getUint16(0) !== 0x4d5a) fail("is not in PE format");
    const header = view.getUint32(0x3c, true);
    if (view.getUint32(header) !== 0x5045_0000) fail("is not in PE format");
    if (view.getUint16(header + 4, true) !== processor.pe) fail("is for another processor");
  }
}

/** The path of the dynamic loader in an ELF executable. */
function interpreterOf(view: DataView): string {
  const start = Number(view.getBigUint64(32, true));
  const size = view.getUint16(54, true);
  for (let index = 0; index < view.getUint16(56, true); index += 1) {
    const entry = start + index * size;
    if (view.getUint32(entry, true) !== 3) continue;
    const offset = Number(view.getBigUint64(entry + 8, true));
    const length = Number(view.getBigUint64(entry + 32, true));
    const text = new Uint8Array(view.buffer, view.byteOffset + offset, length);
    return new TextDecoder().decode(text).split("\0", 1)[0] ?? "";
  }
  return "";
}

interface SignedPages {
  readonly pages: number;
  /** Each page whose digest is another one, with the place of the signed digest. */
  readonly wrong: readonly { readonly slot: number; readonly digest: Uint8Array }[];
}

/**
 * Writes the right digests into an ad-hoc signature, which nothing else signs: Bun changes pages
 * of the runtime for macOS on x64 and leaves their digests. Returns how many were wrong.
 */
export function repairSignature(bytes: Uint8Array): number {
  const { wrong } = signedPages(bytes);
  for (const { slot, digest } of wrong) bytes.set(digest, slot);
  return wrong.length;
}

/** Compares the pages of a Mach-O file with the SHA-256 digests in its code directory. */
function signedPages(bytes: Uint8Array): SignedPages {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const directory = codeDirectory(view);
  if (directory === undefined) return { pages: 0, wrong: [] };
  const hashOffset = view.getUint32(directory + 16);
  const pages = view.getUint32(directory + 28);
  const limit = view.getUint32(directory + 32);
  const isSha256 = view.getUint8(directory + 36) === 32 && view.getUint8(directory + 37) === 2;
  if (!isSha256) return { pages: 0, wrong: [] };
  const pageSize = 2 ** view.getUint8(directory + 39);
  const wrong: { slot: number; digest: Uint8Array }[] = [];
  for (let page = 0; page < pages; page += 1) {
    const content = bytes.subarray(page * pageSize, Math.min((page + 1) * pageSize, limit));
    const digest = new Uint8Array(Bun.SHA256.hash(content).buffer);
    const slot = directory + hashOffset + page * 32;
    if (!Buffer.from(digest).equals(bytes.subarray(slot, slot + 32))) wrong.push({ slot, digest });
  }
  return { pages, wrong };
}

/** Offset of the code directory of a signature without certificates; undefined without one. */
function codeDirectory(view: DataView): number | undefined {
  let command = 32;
  for (let index = 0; index < view.getUint32(16, true); index += 1) {
    if (view.getUint32(command, true) === 0x1d) {
      const blob = view.getUint32(command + 8, true);
      for (let part = 0; part < view.getUint32(blob + 8); part += 1) {
        const offset = blob + view.getUint32(blob + 12 + part * 8 + 4);
        if (view.getUint32(offset) === 0xfade_0c02) return offset;
      }
    }
    command += view.getUint32(command + 4, true);
  }
  return undefined;
}
