import { trimEnd } from "../text/trim-end.ts";

/** Maximum bytes of a name that common file systems accept. */
const longestName = 255;

/** Names that Windows reserves for devices, with any ending. */
const deviceName = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

/** A name from outside as a safe, visible file name of at most 255 bytes that keeps its ending. */
export function savedName(name: string, fallback: string): string {
  const last = name.toWellFormed().split(/[/\\]/).at(-1) ?? "";
  const visible = last
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "")
    .replace(/[<>:"|?*]/g, "_")
    .replace(/^[\s.]+/, "");
  const plain = trimEnd(visible, /[\s.]/);
  if (plain === "") return fallback;
  return shortened(deviceName.test(plain) ? `_${plain}` : plain);
}

function shortened(name: string): string {
  if (bytesOf(name) <= longestName) return name;
  const ending = /\.[^.]{1,32}$/.exec(name)?.[0] ?? "";
  let stem = "";
  let room = longestName - bytesOf(ending);
  for (const character of name.slice(0, name.length - ending.length)) {
    room -= bytesOf(character);
    if (room < 0) break;
    stem += character;
  }
  return stem + ending;
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).byteLength;
}
