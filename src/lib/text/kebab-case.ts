/** The name in kebab-case: letters and digits without accents, in lower case. */
export function kebabCase(name: string): string {
  return name
    .normalize("NFKD")
    .replaceAll(/\p{M}+/gu, "")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-+|-+$/g, "");
}
