import { catalogError, type CatalogError } from "#contract/errors.ts";
import { schemaFaults, type SchemaIssue } from "#contract/schema-faults.ts";
import { isJsonObject } from "#lib/json/value.ts";
import { pointer } from "#lib/json/pointer.ts";
import { shortText } from "#lib/text/short.ts";
import type { SentPart } from "../route.ts";

const shownFaults = 5;
const shownCharacters = 80;

/** E305 for an invalid path or query, E302 for an invalid body, with pointers. */
export function invalidPart(
  name: SentPart,
  value: unknown,
  issues: readonly SchemaIssue[],
): CatalogError {
  const hint = name === "params" ? givenText(value, issues) : undefined;
  const faults = schemaFaults({ issues });
  return refused(
    name,
    faults.map(({ path, detail }) => `${pointerIn(name, path)} ${detail}`),
    hint,
  );
}

/** The error of a member that its part of the request does not have. */
export function unknownMember(name: SentPart, member: string): CatalogError {
  return refused(name, [`${pointerIn(name, [member])} is not known here`]);
}

/** The invalid path parameter in quotes, which make a stray line end visible. */
function givenText(params: unknown, issues: readonly SchemaIssue[]): string | undefined {
  const name = issues[0]?.path[0];
  const given = isJsonObject(params) && typeof name === "string" ? params[name] : undefined;
  return typeof given === "string"
    ? `Given is ${shortText(JSON.stringify(given), shownCharacters)}`
    : undefined;
}

function refused(name: SentPart, faults: readonly string[], hint?: string): CatalogError {
  const code = name === "params" || name === "query" ? "E305" : "E302";
  const more = faults.length - shownFaults;
  const shown = faults.slice(0, shownFaults).join("; ");
  return catalogError(code, { details: more > 0 ? `${shown}; and ${more} more` : shown }, { hint });
}

/** The pointer of a value in one part of the request; a body has no part name. */
function pointerIn(name: SentPart, path: readonly PropertyKey[]): string {
  const part = { params: ["path"], query: ["query"], fields: [], body: [] }[name];
  return pointer(...part, ...path.map(String));
}
