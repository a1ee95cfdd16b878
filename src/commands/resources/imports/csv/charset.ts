import { TextDecoder as TextDecoderOfAnyName } from "node:util";
import { formatError } from "#cli/errors.ts";
import type { FileFacts } from "../source.ts";

/** The library's confidence, of 100, below which text is windows-1252. */
const leastConfidence = 25;

/**
 * The charset of text: the given one, that of its byte order mark, UTF-8 where all bytes are, else
 * the likely one. Throws E304 for a name that is not known.
 */
export async function charsetOf(
  { start, foreign, isUtf8 }: FileFacts,
  given: string | undefined,
): Promise<string> {
  if (given !== undefined) return knownCharset(given);
  if (start[0] === 0xff && start[1] === 0xfe) return "utf-16le";
  if (start[0] === 0xfe && start[1] === 0xff) return "utf-16be";
  if (isUtf8) return "utf-8";
  const { analyse } = await import("chardet");
  const likely = analyse(foreign).find(({ name }) => isKnown(name));
  if (likely === undefined || likely.confidence < leastConfidence) return "windows-1252";
  return new TextDecoderOfAnyName(likely.name).encoding;
}

function knownCharset(name: string): string {
  if (isKnown(name)) return new TextDecoderOfAnyName(name).encoding;
  throw formatError(`--charset ${name} is not known`, "utf-8, utf-16le, windows-1252, shift_jis");
}

function isKnown(name: string): boolean {
  try {
    return new TextDecoderOfAnyName(name).encoding !== "";
  } catch {
    return false;
  }
}
