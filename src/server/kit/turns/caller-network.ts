/** Groups of an IPv6 address that name a network: one site has all addresses below them. */
const networkGroups = 4;
const groupsOfAddress = 8;

/**
 * The key by which callers without an account are limited: an IPv4 address, or the /64 network of
 * an IPv6 address, because its user may take another one for each request.
 */
export function callerNetwork(address: string): string {
  if (!address.includes(":")) return address;
  const [plain = ""] = address.split("%");
  const [head = "", tail] = plain.split("::");
  const first = head === "" ? [] : head.split(":");
  const last = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros = Math.max(0, groupsOfAddress - first.length - last.length);
  const groups = [...first, ...Array.from({ length: zeros }, () => "0"), ...last];
  const network = groups.slice(0, networkGroups).map((group) => Number.parseInt(group, 16));
  return `${network.map((group) => group.toString(16)).join(":")}::/64`;
}
