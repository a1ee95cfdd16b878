/** Control, format and other characters that no font shows, which make two addresses look alike. */
const invisible = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/u;
const addressPattern = /^[^\s@"<>()]+@[^\s@"<>()]+$/;

/** Scripts with letters that look like those of another one, such as "а" and "a". */
const similarScripts = ["Latin", "Cyrillic", "Greek", "Armenian", "Cherokee", "Coptic", "Lisu"].map(
  (script) => new RegExp(String.raw`\p{Script=${script}}`, "u"),
);

/**
 * True if a word mixes scripts whose letters look alike, such as a Cyrillic "а" in a Latin name.
 * Two words may have two scripts, and a word may mix Latin with scripts that do not look like it.
 */
export function mixesScripts(text: string): boolean {
  const words = text.normalize("NFKC").match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return words.some((word) => similarScripts.filter((script) => script.test(word)).length > 1);
}

/** Letters of other scripts that look like a Latin one in most fonts, in lower case. */
const latinLike = /^[асеорхуѕіјһԁԛԝӏονρυօոսհցք]+$/u;

/**
 * True if a part of an address, its local part or a label of its domain, has only letters that look
 * like Latin ones, next to Latin letters: "аре@example.org" in Cyrillic looks like "ape". Without
 * Latin letters, all parts must look so.
 */
function looksLatin(address: string): boolean {
  if (!/\p{Script=Latin}/u.test(address)) return latinLike.test(address.replaceAll(/\P{L}/gu, ""));
  const at = address.lastIndexOf("@");
  const parts = [address.slice(0, Math.max(0, at)), ...address.slice(at + 1).split(".")];
  return parts.some((part) => latinLike.test(part.replaceAll(/\P{L}/gu, "")));
}

/** True if an address has letters that make it look like another one. */
export function looksLikeAnother(address: string): boolean {
  return mixesScripts(address) || looksLatin(emailKey(address));
}

/**
 * True if a text is an e-mail address (RFC 5321, 4.1.2) without invisible characters, also in the
 * form in which it is compared, that does not look like another one.
 */
export function isEmailAddress(text: string): boolean {
  if (invisible.test(text) || looksLikeAnother(text)) return false;
  return addressPattern.test(text) && addressPattern.test(emailKey(text));
}

/**
 * An address as accounts are found by it: compatible forms of a character (NFKC), its case, and
 * blanks around the address do not count.
 */
export function emailKey(email: string): string {
  return email.normalize("NFKC").trim().toLowerCase().normalize("NFKC");
}
