/** Letters that Unicode does not split into a base letter and an accent. */
const wholeLetters: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  ł: "l",
  đ: "d",
  ð: "d",
  þ: "th",
  ı: "i",
  ə: "a",
};

/**
 * The form by which names are compared: small letters and digits of any script without accents,
 * one space between words. Apostrophes and points join: `St. John's` is `st johns`.
 */
export function nameKey(name: string): string {
  return name
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[\p{M}'’ʻʼ`´‘.]/gu, "")
    .replace(/[ßæœøłđðþıə]/g, (letter) => wholeLetters[letter] ?? letter)
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}
