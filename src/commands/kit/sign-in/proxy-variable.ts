import { isLoopback } from "#lib/network/network-fetch.ts";

type Variables = Readonly<Record<string, string | undefined>>;

/** The variable that sends requests to a URL through a proxy, by the runtime's rules. */
export function proxyVariable(url: URL, variables: Variables): string | undefined {
  if (isLoopback(url)) return undefined;
  const filled = (name: string): string | undefined =>
    [name, name.toUpperCase()].find((one) => !empty.has(variables[one] ?? ""));
  const name = filled(url.protocol === "https:" ? "https_proxy" : "http_proxy");
  const exempt = filled("no_proxy");
  if (exempt !== undefined && isExempt(url, variables[exempt] ?? "")) return undefined;
  return name ?? filled("all_proxy");
}

/** The runtime takes a pair of quotes for no value. */
const empty: ReadonlySet<string> = new Set(["", '""', "''"]);

function isExempt(url: URL, list: string): boolean {
  const host = plainHost(url.hostname);
  const port = url.port || (url.protocol === "https:" ? "443" : "80");
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .some((entry) => {
      if (entry === "") return false;
      if (entry === "*") return true;
      // An IPv6 address has several colons; one in brackets may have a port.
      const [, name = entry, only] = /^([^:]+|\[.*\]):(\d+)$/.exec(entry) ?? [];
      if (only !== undefined && only !== port) return false;
      const exempted = plainHost(name);
      if (addressBits(host) !== undefined) {
        return host === exempted || isInNetwork(host, exempted);
      }
      const suffix = exempted.replace(/^\*?\./, "");
      return host === suffix || host.endsWith(`.${suffix}`);
    });
}

/** The host without the brackets of an IPv6 address, and without a dot at its end. */
function plainHost(host: string): string {
  return host.replace(/^\[(.*)\]$/, "$1").replace(/\.$/, "");
}

function isInNetwork(host: string, network: string): boolean {
  const [, address = "", length] = /^(.+)\/(\d{1,3})$/.exec(network) ?? [];
  const [bits, start] = [addressBits(host), addressBits(address)];
  if (bits === undefined || bits.length !== start?.length) return false;
  return Number(length) <= bits.length && bits.startsWith(start.slice(0, Number(length)));
}

/** An IP address as 32 or 128 digits of 0 and 1; undefined for other text. */
function addressBits(text: string): string | undefined {
  const binary = (part: string, base: number, length: number): string =>
    Number.parseInt(part, base).toString(2).padStart(length, "0");
  if (/^\d{1,3}(?:\.\d{1,3}){3}$/.test(text)) {
    return text.split(".").reduce((bits, part) => bits + binary(part, 10, 8), "");
  }
  if (!/^[\da-f:]*:[\da-f:]*$/i.test(text)) return undefined;
  const [before = "", after] = text.split("::");
  const groups = (part: string): string[] => (part === "" ? [] : part.split(":"));
  const [head, tail] = [groups(before), groups(after ?? "")];
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => "0");
  return [...head, ...zeros, ...tail].reduce((bits, group) => bits + binary(group, 16, 16), "");
}
