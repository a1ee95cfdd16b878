/** One line for each Object Type of each workspace. */
export async function* report(client) {
  const { items } = await client.identity.tenants();
  for (const { id, slug } of items) {
    const types = await client.forTenant(id).objectTypes.list();
    for (const type of types.items) yield `${slug}\t${type.slug}`;
  }
}
