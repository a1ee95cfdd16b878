import { ignoreFile, managedFiles, objectTypesFile, packageFile } from "./base-files.ts";
import { documentFiles } from "./document-files.ts";
import type { ProjectFacts, ProjectTemplate, TemplateFile } from "./template.ts";

const server = `// Serves public/ and the client library, and passes /v4 and /auth on to the platform, so that
// the page and the platform have the same origin.
import { watch } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer, request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import { extname, join, normalize, sep } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL(".", import.meta.url));
const platform = new URL(process.env.BASE_URL_PUBLIC_API || "http://127.0.0.1:4400");
const port = Number(process.env.PORT ?? 3000);
const reloads = process.env.SVC_DEV_TURBO === "1";
const types = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
};
const watchers = new Set();
const machine = /^(?:localhost|127\\.0\\.0\\.1|\\[::1\\])(?::\\d{1,5})?$/;
// The public address, where a proxy with TLS stands in front.
const app = process.env.APP_URL ? new URL(process.env.APP_URL) : undefined;

/** The field that shows a page of another origin, or a name that was rebound to this machine. */
function foreignField({ method, headers }) {
  const { host = "", origin, "sec-fetch-site": site, "sec-fetch-mode": mode } = headers;
  const isApp = app !== undefined && host === app.host;
  if (!isApp && !machine.test(host)) return "Host";
  const own = isApp ? app.origin : \`http://\${host}\`;
  if (origin !== undefined && origin !== own) return "Origin";
  const isVisit = mode === "navigate" && method === "GET";
  if (site !== undefined && site !== "same-origin" && site !== "none" && !isVisit) {
    return "Sec-Fetch-Site";
  }
  return undefined;
}

/** The platform compares Origin with Host: they keep the page's own address, or both change. */
function passedHeaders(headers) {
  if (machine.test(platform.host)) return headers;
  const { host, origin, ...others } = headers;
  return { ...others, host: platform.host, ...(origin && { origin: platform.origin }) };
}

function pass(request, response) {
  // A path that begins with two slashes would name another host.
  const { pathname, search } = new URL(request.url, "http://page");
  const target = new URL(platform.origin + pathname + search);
  const send = platform.protocol === "https:" ? httpsRequest : httpRequest;
  const options = { method: request.method, headers: passedHeaders(request.headers) };
  const outgoing = send(target, options, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  outgoing.on("error", () => {
    if (!response.headersSent) response.writeHead(502, { "content-type": "text/plain" });
    response.end("The platform can't be reached");
  });
  response.on("close", () => outgoing.destroy());
  request.pipe(outgoing);
}

async function file(path, response) {
  const folder = join(root, "public");
  const inside = normalize(join(folder, path === "/" ? "index.html" : path));
  const place = path === "/svc.js" ? join(root, "vendor/svc/index.js") : inside;
  if (path !== "/svc.js" && !inside.startsWith(folder + sep)) {
    response.writeHead(404).end();
    return;
  }
  try {
    let body = await readFile(place);
    if (reloads && place.endsWith("index.html")) {
      const script = '<script>new EventSource("/reload").onmessage=()=>location.reload()</script>';
      body = Buffer.concat([body, Buffer.from(script)]);
    }
    response.writeHead(200, { "content-type": types[extname(place)] ?? "application/octet-stream" });
    response.end(body);
  } catch {
    response.writeHead(404, { "content-type": "text/plain" }).end("Not found");
  }
}

createServer((request, response) => {
  const foreign = foreignField(request);
  if (foreign !== undefined) {
    response.writeHead(403, { "content-type": "text/plain" });
    response.end(\`The request's \${foreign} is not of this app\`);
    return;
  }
  let path;
  try {
    path = decodeURIComponent(new URL(request.url, "http://page").pathname);
  } catch {
    response.writeHead(400).end();
    return;
  }
  if (path.startsWith("/v4/") || path.startsWith("/auth/")) return pass(request, response);
  if (path === "/reload" && reloads) {
    response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
    response.write(": open\\n\\n");
    watchers.add(response);
    response.on("close", () => watchers.delete(response));
    return;
  }
  void file(path, response);
}).listen(port, "127.0.0.1", function () {
  console.log(\`ready on http://127.0.0.1:\${this.address().port}\`);
});

if (reloads) {
  watch(join(root, "public"), { recursive: true }, () => {
    for (const response of watchers) response.write("data: changed\\n\\n");
  });
}
`;

const build = `// Copies the pages and the client library to dist/, ready for any static host next to the platform.
import { cp, rm } from "node:fs/promises";

await rm("dist", { recursive: true, force: true });
await cp("public", "dist", { recursive: true });
await cp("vendor/svc/index.js", "dist/svc.js");
console.log("built dist/");
`;

const page = (title: string) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>${title}</title>
    <link rel="stylesheet" href="/style.css" />
  </head>
  <body>
    <main>
      <h1>${title}</h1>
      <p id="health" role="status">Looking for the platform …</p>
      <form id="sign-in">
        <label>Access token <input id="token" type="password" autocomplete="off" required /></label>
        <button>Show my workspaces</button>
      </form>
      <label>Workspace <select id="workspace" disabled></select></label>
      <label>Type <select id="type" disabled></select></label>
      <table id="records"><tbody></tbody></table>
      <p id="message" role="alert"></p>
    </main>
    <script type="module" src="/app.js"></script>
  </body>
</html>
`;

const app = `import { createClient } from "/svc.js";
import { columnsOf, rowsOf } from "/records.js";

const element = (id) => document.getElementById(id);
const baseUrl = location.origin;
let client;

function options(select, items) {
  select.replaceChildren(
    ...items.map(({ value, text }) => {
      const option = document.createElement("option");
      option.value = value;
      option.textContent = text;
      return option;
    }),
  );
  select.disabled = items.length === 0;
}

/** Shows a failure as text, with its next step. */
async function attempt(work) {
  element("message").textContent = "";
  try {
    await work();
  } catch (error) {
    element("message").textContent = [error.message, error.suggestion].filter(Boolean).join(". ");
  }
}

async function showHealth() {
  const { status, version } = await createClient({ baseUrl }).health.resources();
  element("health").textContent = \`Platform \${version ?? ""}: \${status}\`;
}

async function showWorkspaces() {
  client = createClient({ baseUrl, token: element("token").value });
  const { items } = await client.identity.tenants();
  options(
    element("workspace"),
    items.map(({ id, displayName, slug }) => ({ value: id, text: displayName ?? slug })),
  );
  await showTypes();
}

async function showTypes() {
  const { items } = await client.forTenant(element("workspace").value).objectTypes.list();
  options(
    element("type"),
    items.map(({ slug, displayName, name }) => ({ value: slug, text: displayName ?? name })),
  );
  await showRecords();
}

async function showRecords() {
  const type = element("type").value;
  const body = element("records").tBodies[0];
  if (type === "") return body.replaceChildren();
  const inWorkspace = client.forTenant(element("workspace").value);
  const { items } = await inWorkspace.useResources(type).list({ limit: 20 });
  const columns = columnsOf(items);
  body.replaceChildren(
    ...[columns, ...rowsOf(items, columns)].map((cells, index) => {
      const row = document.createElement("tr");
      for (const text of cells) {
        const cell = document.createElement(index === 0 ? "th" : "td");
        cell.textContent = text;
        row.append(cell);
      }
      return row;
    }),
  );
}

element("sign-in").addEventListener("submit", (event) => {
  event.preventDefault();
  void attempt(showWorkspaces);
});
element("workspace").addEventListener("change", () => void attempt(showTypes));
element("type").addEventListener("change", () => void attempt(showRecords));
void attempt(showHealth);
`;

const records = `/** The first six properties that the records have, in order of appearance. */
export function columnsOf(items) {
  return [...new Set(items.flatMap(({ data }) => Object.keys(data)))].slice(0, 6);
}

/** The cells of each record as text. */
export function rowsOf(items, columns) {
  return items.map(({ data }) =>
    columns.map((name) => {
      const value = data[name];
      if (value === undefined || value === null) return "";
      return typeof value === "object" ? JSON.stringify(value) : String(value);
    }),
  );
}
`;

const test = `import assert from "node:assert/strict";
import { test } from "node:test";
import { createClient } from "svc";
import { columnsOf, rowsOf } from "../public/records.js";

const items = [{ data: { title: "Plant", due: null } }, { data: { title: "Water", place: { x: 1 } } }];

test("columns are the properties in order of appearance", () => {
  assert.deepEqual(columnsOf(items), ["title", "due", "place"]);
});

test("cells are text", () => {
  assert.deepEqual(rowsOf(items, ["title", "place"]), [
    ["Plant", ""],
    ["Water", '{"x":1}'],
  ]);
});

test("the client library lists workspaces", async () => {
  const fetch = async () => Response.json({ items: [{ id: "w", slug: "planning" }] });
  const client = createClient({ baseUrl: "http://platform.test", token: "t", fetch });
  assert.equal((await client.identity.tenants()).items[0].slug, "planning");
});
`;

const style = `:root {
  color-scheme: light dark;
  font-family: system-ui, sans-serif;
}
main {
  max-width: 60rem;
  margin: 2rem auto;
  padding: 0 1rem;
}
label {
  display: inline-block;
  margin: 0.5rem 1rem 0.5rem 0;
}
table {
  border-collapse: collapse;
  width: 100%;
}
th,
td {
  border-bottom: 1px solid currentcolor;
  padding: 0.3rem 0.6rem;
  text-align: left;
}
`;

const readme = (name: string) => `# ${name}

A web app on the v4 platform: it lists the records of your workspaces.

\`\`\`sh
npm install        # the client library is in vendor/svc: no network is needed
npm test
svc dev            # or: npm run dev
npm run build      # dist/
\`\`\`

\`svc serve --demo\` starts a platform with sample data; \`svc serve token\` prints an access token.
`;

export const webApp: ProjectTemplate = {
  name: "web-app",
  summary: "A web app on the client library, with a development server",
  files: (facts: ProjectFacts): readonly TemplateFile[] => [
    packageFile(facts, {
      dev: "node server.mjs",
      build: "node build.mjs",
      test: "node --test",
      start: "node server.mjs",
    }),
    ignoreFile,
    objectTypesFile,
    ...documentFiles,
    { path: "README.md", kind: "own", text: readme(facts.name) },
    { path: "server.mjs", kind: "managed", text: server },
    { path: "build.mjs", kind: "managed", text: build },
    { path: "public/index.html", kind: "ui", text: page(facts.name) },
    { path: "public/app.js", kind: "ui", text: app },
    { path: "public/records.js", kind: "ui", text: records },
    { path: "public/style.css", kind: "ui", text: style },
    { path: "test/records.test.mjs", kind: "own", text: test },
    ...managedFiles(facts),
  ],
};
