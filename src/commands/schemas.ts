import type { SchemasOf } from "#cli/pages/describe.ts";
import { ownMember } from "#lib/own-member.ts";

/** The schemas of what each command prints, by its path. */
export async function loadSchemas(): Promise<SchemasOf> {
  const { answers, error } = (await import("./answers.ts")).printed;
  return (path) => ({ isLines: false, ...ownMember(answers, path), error });
}
