import type * as z from "zod";
import { sentForm } from "#contract/deployments.ts";
import { catalogError, type CatalogError } from "#contract/errors.ts";
import type { RouteDefinition } from "#contract/route.ts";
import { schemaFaults } from "#contract/schema-faults.ts";
import { isJsonObject, membersOf } from "#lib/json/value.ts";
import { pointer } from "#lib/json/pointer.ts";
import { shortText } from "#lib/text/short.ts";
import type { SentPart } from "../route.ts";

const shownFaults = 5;
const shownCharacters = 80;

/**
 * A part of a request as its schema returns it. Throws E305 for an invalid path or query and E302
 * for an invalid body, with pointers.
 */
export function checkedPart(definition: RouteDefinition, name: SentPart, value: unknown): unknown {
  const schema = schemaOf(definition, name);
  if (schema === undefined) throw new TypeError(`${definition.path} takes no ${name}`);
  const result = sentForm(schema).safeParse(value);
  if (!result.success) {
    const hint = name === "params" ? givenText(value, result.error) : undefined;
    const faults = schemaFaults(result.error);
    throw refused(
      name,
      faults.map(({ path, detail }) => `${pointerIn(name, path)} ${detail}`),
      hint,
    );
  }
  if (name !== "body") refuseDropped(name, value, result.data);
  return result.data;
}

function schemaOf(definition: RouteDefinition, name: SentPart): z.ZodType | undefined {
  if (name === "params" || name === "query") return definition[name];
  const { body } = definition;
  if (body?.type === "json") return body.schema;
  return body?.type === "multipart" ? body.fields : undefined;
}

/** A schema drops members that it does not name, which would have no effect. */
function refuseDropped(name: SentPart, value: unknown, parsed: unknown): void {
  for (const [member, given] of membersOf(value) ?? []) {
    if (given === undefined || membersOf(parsed)?.has(member) === true) continue;
    throw refused(name, [`${pointerIn(name, [member])} is not known here`]);
  }
}

/** The invalid path parameter in quotes, which make a stray line end visible. */
function givenText(params: unknown, { issues }: z.ZodError): string | undefined {
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
