import { BlockList, isIPv4, isIPv6 } from "node:net";

/** Networks that are not the public internet (IANA special-purpose registries, RFC 6890). */
const closedV4 = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
];
/** Parts of 2000::/3, the only public IPv6 space; some of them carry IPv4 addresses. */
const closedV6 = ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"];

function addSubnet(list: BlockList, network: string, family: "ipv4" | "ipv6"): void {
  const [address = "", bits] = network.split("/");
  list.addSubnet(address, Number(bits), family);
}

interface Networks {
  readonly closed: BlockList;
  readonly open: BlockList;
}

let known: Networks | undefined;

/** Made at the first question: the runtime's module of networks takes a platform's start longer. */
function networks(): Networks {
  if (known !== undefined) return known;
  const [closed, open] = [new BlockList(), new BlockList()];
  for (const network of closedV4) addSubnet(closed, network, "ipv4");
  for (const network of closedV6) addSubnet(closed, network, "ipv6");
  addSubnet(open, "2000::/3", "ipv6");
  known = { closed, open };
  return known;
}

/** True if an IP address is public: not private, loopback, link-local, reserved or multicast. */
export function isPublicAddress(address: string): boolean {
  const { closed, open } = networks();
  if (isIPv4(address)) return !closed.check(address, "ipv4");
  if (!isIPv6(address) || address.includes("%")) return false;
  return open.check(address, "ipv6") && !closed.check(address, "ipv6");
}
