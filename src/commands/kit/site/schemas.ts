import type { SchemasOf } from "#cli/pages/describe.ts";
import { ownMember } from "#lib/own-member.ts";
import type { PrintedSchemas } from "../../answers.ts";

/** The schemas of a command by its path. */
export function schemasIn({ answers, error }: PrintedSchemas): SchemasOf {
  return (path) => ({ isLines: false, ...ownMember(answers, path), error });
}
