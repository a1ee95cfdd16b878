import type { OpenApiDocument } from "#contract/openapi/openapi.ts";
import { isJsonObject } from "#lib/json/value.ts";
import { html, noHtml, type Html } from "#lib/text/html.ts";
import { breakable, code, joined, table, withCode, type PageFacts } from "./layout.ts";
import { exampleOf, limitWords, memberTable, schemaId, typeWords } from "./schema-view.ts";
import { tryForm, type Parameter } from "./try-form.ts";

type Members = Readonly<Record<string, unknown>>;

interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly role: string;
  readonly description: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody: Members | undefined;
  readonly responses: Members;
}

const schemasPath = "api/schemas";

/** A page for each domain of the interface, and one for its named schemas. */
export function apiPages(document: OpenApiDocument): PageFacts[] {
  const components = membersOf(document["components"]);
  const schemas = membersOf(components["schemas"]);
  const refusals = membersOf(components["responses"]);
  const operations = operationsOf(document);
  const tags = Array.isArray(document["tags"]) ? document["tags"].map(membersOf) : [];
  const pages = tags.flatMap((tag): PageFacts[] => {
    const name = String(tag["name"]);
    const own = operations.filter((operation) => operation.tag === name);
    if (own.length === 0) return [];
    const path = `api/${dashed(name)}`;
    return [
      {
        path,
        title: titleOf(name),
        section: "API",
        summary: `${String(tag["description"])}.`,
        content: joined([
          overview(own),
          ...own.map((operation) => operationView(operation, schemas, refusals)),
        ]),
        outline: own.map(({ id, summary }) => ({ id, title: summary })),
        entries: own.map(({ id, method, path: route, summary }) => ({
          title: `${summary}: ${method} ${route}`,
          path: `${path}/#${id}`,
          kind: "API",
        })),
      },
    ];
  });
  return [...pages, schemasPage(schemas)];
}

function membersOf(value: unknown): Members {
  return isJsonObject(value) ? value : {};
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** Returns a name such as `object-types` for `objectTypes`. */
function dashed(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function titleOf(name: string): string {
  const words = dashed(name).replaceAll("-", " ");
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

function operationsOf(document: OpenApiDocument): Operation[] {
  return Object.entries(membersOf(document["paths"])).flatMap(([path, methods]) =>
    Object.entries(membersOf(methods)).map(([method, value]): Operation => {
      const operation = membersOf(value);
      const { parameters, tags, requestBody } = operation;
      return {
        id: String(operation["operationId"]),
        method: method.toUpperCase(),
        path,
        tag: Array.isArray(tags) ? String(tags[0]) : "",
        summary: String(operation["summary"]),
        role: String(operation["x-required-role"]),
        description: textOf(operation["description"]),
        parameters: Array.isArray(parameters) ? parameters.map(parameterOf) : [],
        requestBody: isJsonObject(requestBody) ? requestBody : undefined,
        responses: membersOf(operation["responses"]),
      };
    }),
  );
}

function parameterOf(value: unknown): Parameter {
  const { name, in: place, required, description, schema } = membersOf(value);
  return {
    name: String(name),
    place: String(place),
    isRequired: required === true,
    description: typeof description === "string" ? description : "",
    schema,
  };
}

function overview(operations: readonly Operation[]): Html {
  return table(
    "Routes",
    ["Route", "Does", "Needs"],
    operations.map(({ id, method, path, summary, role }) => [
      html`${badge(method)} <a href="#${id}"><code>${breakable(path)}</code></a>`,
      html`${summary}`,
      html`${role}`,
    ]),
  );
}

function badge(method: string): Html {
  return html`<span class="method ${method.toLowerCase()}">${method}</span>`;
}

function operationView(operation: Operation, schemas: Members, refusals: Members): Html {
  const { id, method, path, summary, description, parameters, requestBody } = operation;
  const { view, example, contentType } = bodyView(requestBody, schemas);
  return html`<section class="operation" aria-labelledby="${id}">
    <h2 id="${id}">${summary}</h2>
    <p class="route">${badge(method)} <code>${path}</code></p>
    <p>${withCode(description)}</p>
    ${parameterTable(parameters)} ${view} ${responsesView(operation, refusals)}
    <h3>Example</h3>
    ${code(curl(operation, example, contentType), `Example of ${summary}`)}
    ${tryForm({ id, method, path, summary, parameters, contentType, example })}
  </section>`;
}

function parameterTable(parameters: readonly Parameter[]): Html {
  if (parameters.length === 0) return noHtml;
  const rows = parameters.map(({ name, place, isRequired, description, schema }) => [
    joined([
      html`<code>${name}</code>`,
      isRequired ? html` <span class="needed">required</span>` : noHtml,
    ]),
    html`${place}`,
    typeWords(schema, "../schemas/"),
    joined([withCode(description), html` <span class="limits">${limitWords(schema)}</span>`]),
  ]);
  return html`<h3>Parameters</h3>
    ${table("Parameters", ["Name", "In", "Type", "Meaning"], rows)}`;
}

interface BodyView {
  readonly view: Html;
  readonly example: string | undefined;
  readonly contentType: string | undefined;
}

function bodyView(requestBody: Members | undefined, schemas: Members): BodyView {
  const content = membersOf(requestBody?.["content"]);
  const [contentType] = Object.keys(content);
  if (contentType === undefined) return { view: noHtml, example: undefined, contentType };
  const { schema } = membersOf(content[contentType]);
  const isJson = contentType === "application/json";
  const example = isJson ? JSON.stringify(exampleOf(schema, schemas), null, 2) : undefined;
  const view = html`<h3>Body</h3>
    <p><code>${contentType}</code> ${typeWords(schema, "../schemas/")}</p>
    ${isNamed(schema) ? noHtml : memberTable("Members of the body", schema, "../schemas/")}`;
  return { view, example, contentType };
}

function isNamed(schema: unknown): boolean {
  return typeof membersOf(schema)["$ref"] === "string";
}

function responsesView({ responses }: Operation, refusals: Members): Html {
  const rows = Object.entries(responses).map(([status, given]) => {
    const response = membersOf(given);
    const { $ref: reference } = response;
    const isRefusal = typeof reference === "string";
    const named = isRefusal ? membersOf(refusals[reference.split("/").at(-1) ?? ""]) : response;
    const types = Object.entries(membersOf(named["content"])).map(([type, value]) => {
      const { schema } = membersOf(value);
      const words = schema === undefined ? noHtml : typeWords(schema, "../schemas/");
      return html`<code>${type}</code> ${words}`;
    });
    return [
      html`<span class="status s${status.charAt(0)}">${status}</span>`,
      withCode(textOf(named["description"])),
      isRefusal ? html`<a href="../schemas/#${schemaId("Problem")}">Problem</a>` : joined(types),
    ];
  });
  return html`<h3>Responses</h3>
    ${table("Responses", ["Status", "Meaning", "Content"], rows)}`;
}

function curl(
  { method, path, role, parameters }: Operation,
  example: string | undefined,
  contentType: string | undefined,
): string {
  const lines = [
    `curl ${method === "GET" ? "" : `-X ${method} `}"$BASE_URL${path.replaceAll("{", "$").replaceAll("}", "")}"`,
  ];
  if (role !== "public") lines.push(`-H "Authorization: Bearer $SVC_TOKEN"`);
  for (const { name, place, isRequired } of parameters) {
    if (place === "header" && isRequired) lines.push(`-H "${name}: $tenantId"`);
  }
  if (contentType === "multipart/form-data")
    lines.push(`-F "tenant_id=$tenantId" -F "files=@plans.pdf"`);
  else if (contentType === "application/json") {
    lines.push(`-H "Content-Type: application/json"`, `-d '${example ?? "{}"}'`);
  } else if (contentType !== undefined) lines.push(`--data-binary @file`);
  return lines.join(" \\\n  ");
}

function schemasPage(schemas: Members): PageFacts {
  const names = Object.keys(schemas);
  const views = names.map((name) => {
    const schema = membersOf(schemas[name]);
    const { description } = schema;
    return html`<section class="operation" aria-labelledby="${schemaId(name)}">
      <h2 id="${schemaId(name)}">${name}</h2>
      ${typeof description === "string" ? html`<p>${withCode(description)}</p>` : noHtml}
      ${memberTable(`Members of ${name}`, schema, "")}
    </section>`;
  });
  return {
    path: schemasPath,
    title: "Schemas",
    section: "API",
    summary: "Named shapes of requests and responses. A client must accept unknown members.",
    content: joined(views),
    outline: names.map((name) => ({ id: schemaId(name), title: name })),
    entries: names.map((name) => ({
      title: name,
      path: `${schemasPath}/#${schemaId(name)}`,
      kind: "Schema",
    })),
  };
}
