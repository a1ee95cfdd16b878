import type { RouteDefinition } from "#contract/route.ts";

/**
 * Adds the fields of a route that is going away: `Deprecation` (RFC 9745), `Sunset` (RFC 8594) and
 * `Link` to the route that takes its place and to the page of versions.
 */
export function noteDeprecation(
  definition: RouteDefinition | undefined,
  response: { readonly headers: Pick<Headers, "set" | "append"> },
): void {
  const deprecated = definition?.deprecated;
  // The runtime makes the fields when they are first read.
  if (deprecated === undefined) return;
  const { headers } = response;
  const { since, sunset, successor } = deprecated;
  headers.set("deprecation", `@${Date.parse(since) / 1000}`);
  if (sunset !== undefined) headers.set("sunset", new Date(sunset).toUTCString());
  headers.append("link", '</docs/versions>; rel="deprecation"; type="text/html"');
  if (successor !== undefined) headers.append("link", `<${successor}>; rel="successor-version"`);
}
