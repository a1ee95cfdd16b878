const uuid = "([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})";

/** A copy of the contract's paths, which would take longer to load; a test compares them. */
const namingPaths: readonly RegExp[] = [
  new RegExp(`^/v4/platform/tenants/${uuid}/`, "i"),
  new RegExp(`^/v4/data/resources/(?:schema/)?${uuid}(?:/|$)`, "i"),
  new RegExp(`^/v4/ai/chat/(?:stream/)?${uuid}(?:/|$)`, "i"),
];

/** The workspace that an address names; it must equal `X-Tenant-Id` (spec 5.2). */
export function workspaceInAddress(
  path: string,
  query: readonly (readonly [name: string, value: string])[],
): string | undefined {
  const [pathname = "", ...search] = path.split("?");
  for (const pattern of namingPaths) {
    const named = pattern.exec(pathname)?.[1];
    if (named !== undefined) return named.toLowerCase();
  }
  const inQuery = [...new URLSearchParams(search.join("?")), ...query];
  return inQuery.find(([name]) => name === "tenant_id")?.[1];
}
