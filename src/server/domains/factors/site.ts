import { isIP } from "node:net";

/** The platform's address as a browser has it; a passkey belongs to its host. */
export interface Site {
  readonly origin: string;
  readonly host: string;
}

export function siteOf(baseUrl: string): Site {
  const { origin, hostname } = new URL(baseUrl);
  return { origin, host: hostname };
}

/** True if browsers have passkeys there: for hosts with a name, over `http:` only this machine. */
export function canHavePasskeys({ origin, host }: Site): boolean {
  if (isIP(host.replaceAll(/[[\]]/g, "")) !== 0) return false;
  return origin.startsWith("https:") || host === "localhost" || host.endsWith(".localhost");
}
