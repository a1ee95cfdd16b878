export const notStorable = "contains a NUL character or half a surrogate pair";

/** False for text with a NUL (PostgreSQL refuses it) or a lone surrogate (UTF-8 has none). */
export function isStorable(text: string): boolean {
  return !text.includes("\0") && text.isWellFormed();
}
