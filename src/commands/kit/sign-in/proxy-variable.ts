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
      // URLs write each IPv4 address as four numbers.
      if (host.includes(":") || addressNumber(host) !== undefined) {
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
  const [, address = "", bits] = /^([\d.]+)\/(\d{1,2})$/.exec(network) ?? [];
  const [one, other] = [addressNumber(host), addressNumber(address)];
  if (one === undefined || other === undefined || Number(bits) > 32) return false;
  const size = 2 ** (32 - Number(bits));
  return Math.floor(one / size) === Math.floor(other / size);
}

/** An IPv4 address as a number; undefined for other text. */
function addressNumber(text: string): number | undefined {
  if (!/^\d{1,3}(?:\.\d{1,3}){3}$/.test(text)) return undefined;
  return text.split(".").reduce((sum, part) => sum * 256 + Number(part), 0);
}
