/** Control, format and other characters that no font shows, which make two addresses look alike. */
const invisible = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/u;
const addressPattern = /^[^\s@"<>()]+@[^\s@"<>()]+$/;

/**
 * Whether a text is an e-mail address (RFC 5321, 4.1.2) without invisible characters, also in the
 * form in which it is compared.
 */
export function isEmailAddress(text: string): boolean {
  return !invisible.test(text) && addressPattern.test(text) && addressPattern.test(emailKey(text));
}

/**
 * An address as accounts are found by it: compatible forms of a character (NFKC), its case, and
 * blanks around the address do not count.
 */
export function emailKey(email: string): string {
  return email.normalize("NFKC").trim().toLowerCase().normalize("NFKC");
}
