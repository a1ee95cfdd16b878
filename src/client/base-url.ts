import { catalogError } from "#contract/errors.ts";

/**
 * A platform's base address in normal form: http or https, no credentials, query or fragment, no
 * trailing slash. Throws E305.
 */
export function parseBaseUrl(text: string): URL {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw refused("is not an address");
  }
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw refused("is neither http nor https");
  }
  if (url.username !== "" || url.password !== "") throw refused("carries credentials");
  if (url.search !== "" || url.hash !== "") throw refused("has a query or a fragment");
  url.pathname = url.pathname.replace(/\/+$/, "");
  return url;
}

// The value itself is left out: it may hold a password.
function refused(reason: string) {
  return catalogError("E305", { details: `the platform's base URL ${reason}` });
}
