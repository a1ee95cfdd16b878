/**
 * Whether a host is this machine: `localhost`, 127.0.0.0/8 or `::1`, with or without brackets, and
 * the IPv4-mapped forms that a dual-stack socket reports.
 */
export function isLoopbackHost(host: string): boolean {
  return (
    host === "localhost" ||
    host === "::1" ||
    host === "[::1]" ||
    /^(?:::ffff:)?127(?:\.\d{1,3}){3}$/.test(host)
  );
}
