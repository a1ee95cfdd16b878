/**
 * Whether a host is this very machine: `localhost`, 127.0.0.0/8 or `::1`, with the brackets that
 * it has in a URL or without, also as a socket for both versions of IP shows them.
 */
export function isLoopbackHost(host: string): boolean {
  return (
    host === "localhost" ||
    host === "::1" ||
    host === "[::1]" ||
    /^(?:::ffff:)?127(?:\.\d{1,3}){3}$/.test(host)
  );
}
