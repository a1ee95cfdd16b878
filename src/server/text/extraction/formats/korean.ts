const shiftOut = 0x0e;
const shiftIn = 0x0f;

/** Decodes ISO-2022-KR (RFC 1557), which shifts to the characters of EUC-KR and back. */
export function decodeShiftedKorean(bytes: Uint8Array): string {
  const out: number[] = [];
  let isShifted = false;
  const text = Buffer.from(bytes).toString("latin1").replaceAll("\x1b$)C", "");
  for (const letter of text) {
    const byte = letter.charCodeAt(0);
    if (byte === shiftOut || byte === shiftIn) isShifted = byte === shiftOut;
    else {
      // Each line begins in the unshifted state.
      if (byte === 0x0a) isShifted = false;
      out.push(isShifted && byte > 0x20 ? byte | 0x80 : byte);
    }
  }
  return eucKr(out);
}

/** Decodes Johab (KS X 1001, annex 3): each syllable has five bits for each of its three parts. */
export function decodeJohab(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += 1) {
    const lead = bytes[at] ?? 0;
    const trail = bytes[at + 1];
    if (lead < 0x80) text += lead === 0x5c ? "₩" : String.fromCharCode(lead);
    else if (trail === undefined) text += "\ufffd";
    else {
      text += lead < 0xd9 ? syllable((lead << 8) | trail) : sign(lead, trail);
      at += 1;
    }
  }
  return text;
}

const letters = "ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ";

function syllable(code: number): string {
  const first = ((code >> 10) & 31) - 2;
  const vowel = vowelOf((code >> 5) & 31);
  const last = lastOf(code & 31);
  if (first >= 0 && vowel >= 0) {
    return String.fromCharCode(0xac00 + (first * 21 + vowel) * 28 + Math.max(0, last));
  }
  if (vowel >= 0) return String.fromCharCode(0x314f + vowel);
  return letters[first] ?? "\ufffd";
}

/** The vowels have the numbers 3 to 7, 10 to 15, 18 to 23 and 26 to 29. */
function vowelOf(bits: number): number {
  return bits < 3 ? -1 : bits - 3 - 2 * Math.floor(bits / 8);
}

/** The last consonants have the numbers 2 to 17 and 19 to 29. */
function lastOf(bits: number): number {
  return bits < 18 ? bits - 1 : bits - 2;
}

/** Signs and Chinese characters have the order of EUC-KR. */
function sign(lead: number, trail: number): string {
  const column = trail - (trail < 0x91 ? 0x31 : 0x43);
  const row = (lead < 0xe0 ? 2 * (lead - 0xd9) : 2 * lead - 0x197) + (column < 0x5e ? 0 : 1);
  return eucKr([row + 0xa1, (column % 0x5e) + 0xa1]);
}

function eucKr(bytes: readonly number[]): string {
  return new TextDecoder("euc-kr").decode(Uint8Array.from(bytes));
}
