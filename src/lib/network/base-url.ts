import { trimEnd } from "../text/trim-end.ts";

/** Text that is not a base address; the message completes "The address …" and never repeats it. */
export class BaseUrlError extends Error {
  override readonly name = "BaseUrlError";
}

/** A service's base address in normal form, without query or slash. Throws {@link BaseUrlError}. */
export function parseBaseUrl(text: string): URL {
  if (!URL.canParse(text)) throw new BaseUrlError("is not an address");
  const url = new URL(text);
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw new BaseUrlError("is neither http nor https");
  }
  if (url.username !== "" || url.password !== "") throw new BaseUrlError("carries credentials");
  if (url.search !== "" || url.hash !== "") throw new BaseUrlError("has a query or a fragment");
  url.pathname = trimEnd(url.pathname, /\//);
  return url;
}

/** The platform's base address. `/v4` at its end is refused: every path of the interface has it. */
export function parsePlatformUrl(text: string): URL {
  const url = parseBaseUrl(text);
  if (url.pathname.endsWith("/v4")) throw new BaseUrlError("ends in /v4, which is added to it");
  return url;
}

/** The address as text, without a slash at its end. */
export function baseUrlText(url: URL): string {
  return url.href.replace(/\/$/, "");
}
