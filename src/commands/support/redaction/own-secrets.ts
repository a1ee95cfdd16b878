import { secretFormats, type SecretFormat } from "#contract/secret-formats.ts";

/** Hyphens, also those that an editor puts in their place. */
const hyphen = "[-\u2010-\u2015\u2212]";

/** Matches every secret that svc makes, in each form that svc prints or accepts. */
export const ownSecrets: readonly RegExp[] = Object.values(secretFormats).flatMap(formsOf);

function formsOf({ prefix, alphabet, groups, shownInGroupsOf }: SecretFormat): RegExp[] {
  const letter = `[${RegExp.escape(alphabet)}]`;
  const grouped = groups.map((length) => `${letter}{${length}}`);
  const length = groups.reduce((sum, each) => sum + each, 0);
  const forms = [grouped.join(hyphen)];
  // A code that has no hyphens differs from a word only by its digits.
  if (groups.length > 2) forms.push(`(?=[a-z]*\\d)${letter}{${length}}`);
  if (shownInGroupsOf !== undefined) {
    const count = length / shownInGroupsOf;
    forms.push(Array.from({ length: count }, () => `${letter}{${shownInGroupsOf}}`).join("\\s"));
  }
  const edge = /[-_]/.test(alphabet) ? "[\\w-]" : "[a-z0-9]";
  return forms.map(
    (form) => new RegExp(`(?<!${edge})${RegExp.escape(prefix)}${form}(?!${edge})`, "gi"),
  );
}
