const uuid = "([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})";

/**
 * The addresses that name their workspace themselves. They are written down here, and held to the
 * contract by a test, because reading the contract would cost more than the call.
 */
const namingPaths: readonly RegExp[] = [
  new RegExp(`^/v4/platform/tenants/${uuid}/`, "i"),
  new RegExp(`^/v4/data/resources/(?:schema/)?${uuid}(?:/|$)`, "i"),
  new RegExp(`^/v4/ai/chat/(?:stream/)?${uuid}(?:/|$)`, "i"),
];

/**
 * The workspace that an address names in its path or its `tenant_id`; `undefined` where it leaves
 * that to `X-Tenant-Id`. Both at once must be the same one (spec 5.2), so the selected workspace is
 * only for the addresses that name none.
 */
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
