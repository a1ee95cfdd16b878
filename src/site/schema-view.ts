import { isJsonObject } from "#lib/json/value.ts";
import { Html, html, noHtml } from "#lib/text/html.ts";
import { joined, table, withCode } from "./layout.ts";

type Schema = Readonly<Record<string, unknown>>;

const componentPrefix = "#/components/schemas/";
/** Objects within objects are shown down to this level. */
const deepest = 3;

/** The address of a named schema, relative to a page of the API. */
export function schemaId(name: string): string {
  return `schema-${name}`;
}

/** A schema's type as text, with links to named schemas; `schemas` is the way to their page. */
export function typeWords(schema: unknown, schemas: string): Html {
  if (!isJsonObject(schema)) return html`any`;
  const reference = schema["$ref"];
  if (typeof reference === "string") {
    const name = reference.slice(componentPrefix.length);
    return html`<a href="${schemas}#${schemaId(name)}">${name}</a>`;
  }
  const choices = schema["anyOf"] ?? schema["oneOf"];
  if (Array.isArray(choices)) {
    const words = choices.slice(0, 8).map((choice: unknown) => typeWords(choice, schemas).text);
    return new Html([...new Set(words)].join(" or "));
  }
  if (schema["const"] !== undefined) return html`<code>${JSON.stringify(schema["const"])}</code>`;
  const values = schema["enum"];
  if (Array.isArray(values)) {
    return new Html(values.map((value) => html`<code>${String(value)}</code>`.text).join(" · "));
  }
  const { type, items, format } = schema;
  if (type === "array") return html`list of ${typeWords(items, schemas)}`;
  if (type === "object" && isJsonObject(schema["additionalProperties"])) {
    return html`map of ${typeWords(schema["additionalProperties"], schemas)}`;
  }
  if (Array.isArray(type)) return html`${type.join(" or ")}`;
  if (typeof type !== "string") return html`any`;
  return typeof format === "string" ? html`${type} (${format})` : html`${type}`;
}

/** The limits of a value, e.g. `1 to 500`. */
export function limitWords(schema: unknown): string {
  if (!isJsonObject(schema)) return "";
  const words: string[] = [];
  const range = (low: unknown, high: unknown, unit: string): void => {
    if (typeof low === "number" && typeof high === "number") words.push(`${low} to ${high}${unit}`);
    else if (typeof low === "number" && low > 0) words.push(`at least ${low}${unit}`);
    else if (typeof high === "number") words.push(`at most ${high}${unit}`);
  };
  range(schema["minimum"], schema["maximum"], "");
  range(schema["minLength"], schema["maxLength"], " characters");
  range(schema["minItems"], schema["maxItems"], " items");
  if (schema["default"] !== undefined) words.push(`default ${JSON.stringify(schema["default"])}`);
  return words.join("; ");
}

/** The members of an object schema as a table, with those of objects within it. */
export function memberTable(label: string, schema: unknown, schemas: string): Html {
  const rows = memberRows(schema, schemas, "", 1);
  return rows.length === 0
    ? html`<p>${typeWords(schema, schemas)}</p>`
    : table(label, ["Member", "Type", "Meaning"], rows);
}

function memberRows(schema: unknown, schemas: string, prefix: string, depth: number): Html[][] {
  if (!isJsonObject(schema)) return [];
  const { properties, required } = schema;
  if (!isJsonObject(properties)) return [];
  const needed = Array.isArray(required) ? required : [];
  return Object.entries(properties).flatMap(([name, member]) => {
    const facts: Schema = isJsonObject(member) ? member : {};
    const path = `${prefix}${name}`;
    const mark = needed.includes(name) ? html` <span class="needed">required</span>` : noHtml;
    const { description } = facts;
    const meaning = joined([
      typeof description === "string" ? withCode(description) : noHtml,
      html`<span class="limits">${limitWords(facts)}</span>`,
    ]);
    const row = [html`<code>${path}</code>${mark}`, typeWords(facts, schemas), meaning];
    const inner = facts["type"] === "array" ? facts["items"] : facts;
    const suffix = facts["type"] === "array" ? "[]." : ".";
    const below = depth < deepest ? memberRows(inner, schemas, `${path}${suffix}`, depth + 1) : [];
    return [row, ...below];
  });
}

/** A small valid-looking value: required members only. */
export function exampleOf(schema: unknown, components: Schema, depth = 0): unknown {
  if (!isJsonObject(schema) || depth > 6) return {};
  const reference = schema["$ref"];
  if (typeof reference === "string") {
    return exampleOf(components[reference.slice(componentPrefix.length)], components, depth + 1);
  }
  if (schema["const"] !== undefined) return schema["const"];
  if (schema["default"] !== undefined) return schema["default"];
  const [value] = Array.isArray(schema["enum"]) ? schema["enum"] : [];
  if (value !== undefined) return value;
  const choices = schema["anyOf"] ?? schema["oneOf"];
  if (Array.isArray(choices)) return exampleOf(choices[0], components, depth + 1);
  switch (schema["type"]) {
    case "string":
      return schema["format"] === "uuid" ? "01890000-0000-7000-8000-000000000000" : "…";
    case "integer":
    case "number":
      return typeof schema["minimum"] === "number" ? schema["minimum"] : 1;
    case "boolean":
      return true;
    case "array":
      return [exampleOf(schema["items"], components, depth + 1)];
    default:
      return exampleMembers(schema, components, depth);
  }
}

function exampleMembers(schema: Schema, components: Schema, depth: number): Schema {
  const { properties, required } = schema;
  if (!isJsonObject(properties) || !Array.isArray(required)) return {};
  return Object.fromEntries(
    required.map((name: unknown) => {
      const member = String(name);
      return [member, exampleOf(properties[member], components, depth + 1)];
    }),
  );
}
