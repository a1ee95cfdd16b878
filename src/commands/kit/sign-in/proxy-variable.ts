import { isLoopback } from "#lib/network/network-fetch.ts";

/** The variable that sends requests to a URL through a proxy, by the runtime's rules. */
export function proxyVariable(
  url: URL,
  variables: Readonly<Record<string, string | undefined>>,
): string | undefined {
  if (isLoopback(url) || isExempt(url, variables["no_proxy"] ?? variables["NO_PROXY"] ?? "")) {
    return undefined;
  }
  const name = url.protocol === "https:" ? "https_proxy" : "http_proxy";
  return [name, name.toUpperCase()].find((one) => (variables[one] ?? "") !== "");
}

function isExempt({ host, hostname }: URL, list: string): boolean {
  return list
    .split(",")
    .map((entry) => entry.trim().replace(/^\./, "").toLowerCase())
    .some((entry) => {
      if (entry === "") return false;
      return entry === "*" || host === entry || hostname.endsWith(entry);
    });
}
