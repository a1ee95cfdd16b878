import { BlockList, isIP, isIPv4 } from "node:net";

/** The networks that are trusted on one machine: a proxy on it may name the caller. */
export const ownMachine: readonly string[] = ["127.0.0.0/8", "::1/128"];

/** More entries than any chain of proxies has. */
const entriesAtMost = 32;

/**
 * Finds a caller's address where proxies pass the requests on. Each proxy adds the address that it
 * saw at the right end of `X-Forwarded-For`, or of `Forwarded` (RFC 7239); the entries before those
 * of trusted proxies may be the caller's invention.
 */
export class TrustedProxies {
  readonly #networks: BlockList | undefined;

  /** `networks` as `10.0.0.0/8`, `fd00::/8` or single addresses; throws a TypeError for others. */
  constructor(networks: readonly string[]) {
    if (networks.length === 0) return;
    this.#networks = new BlockList();
    for (const network of networks) addNetwork(this.#networks, network);
  }

  /**
   * The address that the first trusted proxy saw; the peer's own unless the peer is a proxy. Where
   * both fields are given and differ, one of them is the caller's, so the peer's counts.
   */
  addressOf(peerAddress: string, headers: Headers): string {
    const peer = plainAddress(peerAddress);
    if (!this.#trusts(peer)) return peer;
    const listed = headers.get("x-forwarded-for");
    const standard = headers.get("forwarded");
    const byList = listed === null ? undefined : this.#walk(peer, listed.split(","));
    const byStandard = standard === null ? undefined : this.#walk(peer, forwardedFor(standard));
    if (byList === undefined || byStandard === undefined) return byList ?? byStandard ?? peer;
    return byList === byStandard ? byList : peer;
  }

  /** The last entry that no trusted proxy has; one that is no address ends the search. */
  #walk(peer: string, entries: readonly string[]): string {
    let address = peer;
    for (const entry of entries.slice(-entriesAtMost).toReversed()) {
      const next = addressIn(entry);
      if (next === undefined) return address;
      address = next;
      if (!this.#trusts(address)) return address;
    }
    return address;
  }

  #trusts(address: string): boolean {
    if (this.#networks === undefined) return false;
    const family = isIP(address);
    return family !== 0 && this.#networks.check(address, family === 4 ? "ipv4" : "ipv6");
  }
}

function addNetwork(list: BlockList, network: string): void {
  const [address = "", bits, ...rest] = network.split("/");
  const family = isIP(address);
  const most = family === 4 ? 32 : 128;
  const length = bits === undefined ? most : Number(bits);
  const isLength = bits === undefined || (/^\d{1,3}$/.test(bits) && length <= most);
  if (family === 0 || !isLength || rest.length > 0) {
    throw new TypeError(`"${network}" is not a network such as 10.0.0.0/8 or fd00::/8`);
  }
  list.addSubnet(address, length, family === 4 ? "ipv4" : "ipv6");
}

/** The `for` parameter of each element; an empty text for an element without one. */
function forwardedFor(field: string): string[] {
  return field.split(",").map((element) => {
    const pair = element.split(";").find((text) => /^\s*for\s*=/i.test(text));
    return pair?.slice(pair.indexOf("=") + 1).replaceAll('"', "") ?? "";
  });
}

/** The address in `192.0.2.1`, `192.0.2.1:4711`, `2001:db8::1` or `[2001:db8::1]:4711`. */
function addressIn(entry: string): string | undefined {
  const text = entry.trim();
  const bare =
    /^\[([\da-f:.]+)\](?::\w+)?$/i.exec(text)?.[1] ??
    /^(\d+(?:\.\d+){3})(?::\w+)?$/.exec(text)?.[1] ??
    text;
  return isIP(bare) === 0 ? undefined : plainAddress(bare);
}

/** One form for each address: a socket for both families names IPv4 as `::ffff:192.0.2.1`. */
function plainAddress(address: string): string {
  const lower = address.toLowerCase();
  const mapped = lower.startsWith("::ffff:") ? lower.slice("::ffff:".length) : lower;
  if (isIPv4(mapped)) return mapped;
  const groups = lower === mapped ? null : /^([\da-f]{1,4}):([\da-f]{1,4})$/.exec(mapped);
  if (groups === null) return lower;
  const [high = 0, low = 0] = groups.slice(1).map((group) => Number.parseInt(group, 16));
  return [high >> 8, high & 255, low >> 8, low & 255].join(".");
}
