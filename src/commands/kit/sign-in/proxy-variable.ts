import { BlockList, isIP, isIPv4 } from "node:net";
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
      if (isIP(host) !== 0) return host === exempted || isInNetwork(host, exempted);
      const suffix = exempted.replace(/^\*?\./, "");
      return host === suffix || host.endsWith(`.${suffix}`);
    });
}

/** The host without the brackets of an IPv6 address, and without a dot at its end. */
function plainHost(host: string): string {
  return host.replace(/^\[(.*)\]$/, "$1").replace(/\.$/, "");
}

function isInNetwork(host: string, network: string): boolean {
  const [, address = "", bits] = /^(.+)\/(\d{1,3})$/.exec(network) ?? [];
  const family = isIPv4(address) ? "ipv4" : "ipv6";
  const isUsable = isIP(address) !== 0 && isIP(address) === isIP(host);
  if (!isUsable || Number(bits) > (family === "ipv4" ? 32 : 128)) return false;
  const list = new BlockList();
  list.addSubnet(address, Number(bits), family);
  return list.check(host, family);
}
