import { usageError } from "#cli/errors.ts";

/** Refuses text that is no address before the request. */
export function emailOf(flag: string, text: string): string {
  const email = addressIn(text);
  if (email !== undefined) return email;
  throw usageError(`${flag} "${text}" is not an e-mail address`);
}

/** The address without blanks around it; undefined for other text. */
export function addressIn(text: string): string | undefined {
  const email = text.trim();
  return /^[^\s@"<>()]+@[^\s@"<>()]+$/.test(email) ? email : undefined;
}
