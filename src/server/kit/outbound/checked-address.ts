import { lookup as lookUpAddresses, type LookupAddress } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import { isPublicAddress } from "./public-address.ts";

/** Why no request is sent to an address; the message completes the sentence "the URL …". */
export class AddressError extends Error {
  override readonly name = "AddressError";
}

export interface AddressRules {
  /** Names of hosts, `host` or `host:port`, that may have an address that is not public. */
  readonly allowedHosts: ReadonlySet<string>;
  /** Resolves host names (default: the system's resolver). */
  readonly resolve?: Resolve | undefined;
}

export type Resolve = (host: string) => Promise<readonly LookupAddress[]>;

const closedHost = "names a host whose address is not public";

/** Numeric hosts need no look-up, so they are checked here. Throws {@link AddressError}. */
export function checkedUrl(address: string, rules: Pick<AddressRules, "allowedHosts">): URL {
  const url = URL.parse(address);
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:")) {
    throw new AddressError("must be an http or https URL");
  }
  if (url.username !== "" || url.password !== "") {
    throw new AddressError("must have no user name or password");
  }
  const host = hostOf(url);
  if (isIP(host) !== 0 && !isPublicAddress(host) && !isAllowed(url, rules)) {
    throw new AddressError(closedHost);
  }
  return url;
}

/**
 * The look-up of a connection, which refuses a host with any address that is not public. The
 * connection goes to the address that was checked.
 */
export function checkedLookup(url: URL, rules: AddressRules): LookupFunction {
  const find: Resolve = rules.resolve ?? systemLookup;
  return (host, { all }, answer) => {
    find(host).then(
      (addresses) => {
        const [first] = addresses;
        const isOpen =
          isAllowed(url, rules) || addresses.every((each) => isPublicAddress(each.address));
        if (first === undefined) answer(new AddressError("names an unknown host"), "");
        else if (!isOpen) answer(new AddressError(closedHost), "");
        else if (all === true) answer(null, [...addresses]);
        else answer(null, first.address, first.family);
      },
      () => answer(new AddressError("names an unknown host"), ""),
    );
  };
}

/** The code of a failed connection, e.g. `ECONNREFUSED`. */
export function connectionFault(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return /^[A-Z0-9_]{1,64}$/.test(code) ? code : "the connection failed";
}

function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, "$1");
}

function isAllowed(url: URL, { allowedHosts }: Pick<AddressRules, "allowedHosts">): boolean {
  return allowedHosts.has(url.host) || allowedHosts.has(hostOf(url));
}

function systemLookup(host: string): Promise<readonly LookupAddress[]> {
  return new Promise((resolve, reject) => {
    lookUpAddresses(host, { all: true }, (error, addresses) =>
      error === null ? resolve(addresses) : reject(error),
    );
  });
}
