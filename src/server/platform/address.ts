import type { Exchange } from "../http/exchange.ts";

/** The address under which this request came, once the guard has let its host pass. */
export function addressOf(exchange: Exchange): string {
  const host = exchange.headers.get("host");
  if (host !== null) return `http://${host}`;
  const { url } = exchange.request;
  return url.slice(0, url.indexOf("/", url.indexOf("//") + 2));
}
