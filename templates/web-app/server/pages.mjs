import { existsSync, watch } from "node:fs";
import { readFile } from "node:fs/promises";
import { extname, join, normalize, sep } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const publicFolder = join(root, "public");
/** True in dist/, where `npm run build` has made JavaScript of the pages. */
const isBuilt = existsSync(join(publicFolder, "app/main.js"));

const types = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};
const headers = {
  "cache-control": "no-cache",
  // Scripts of another origin, and written into a page by its data, do not run.
  "content-security-policy":
    "default-src 'self'; img-src 'self' blob: data:; object-src 'none'; base-uri 'none'; " +
    "form-action 'self'; frame-ancestors 'none'",
  "referrer-policy": "same-origin",
  "x-content-type-options": "nosniff",
};

/** Answers with a file of public/; in development also with src/app and the library. */
export function pageFiles({ reloads }) {
  const watchers = new Set();
  if (reloads) {
    for (const folder of ["public", "src"]) {
      watch(join(root, folder), { recursive: true }, () => {
        for (const response of watchers) response.write("data: changed\n\n");
      });
    }
  }
  return async (path, response) => {
    if (path === "/reload" && reloads) {
      response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
      response.write(": open\n\n");
      watchers.add(response);
      response.on("close", () => watchers.delete(response));
      return;
    }
    try {
      const { name, body } = await fileOf(decodeURIComponent(path), reloads);
      const type = types[extname(name)] ?? "application/octet-stream";
      response.writeHead(200, { ...headers, "content-type": type }).end(body);
    } catch (error) {
      const isMissing =
        error.code === "ENOENT" || error.code === "EISDIR" || error instanceof URIError;
      if (!isMissing) console.error(error.message);
      const text = isMissing ? "Not found" : error.message;
      response.writeHead(isMissing ? 404 : 500, { "content-type": "text/plain" }).end(text);
    }
  };
}

async function fileOf(path, reloads) {
  // The page reads the address itself, also where a sign-in returns to.
  if (["/", "/callback", "/auth/callback"].includes(path)) {
    const page = await readFile(join(publicFolder, "index.html"), "utf8");
    const script = '<script type="module" src="/reload.js"></script></body>';
    return { name: "index.html", body: reloads ? page.replace("</body>", script) : page };
  }
  if (reloads && path === "/reload.js") {
    const body = 'new EventSource("/reload").onmessage = () => location.reload();\n';
    return { name: path, body };
  }
  if (!isBuilt && path === "/svc.js") {
    return { name: path, body: await readFile(join(root, "vendor/svc/index.js")) };
  }
  if (!isBuilt && /^\/app\/[\w-]+\.js$/.test(path)) {
    const { pageModule } = await import("./typescript.mjs");
    const source = join(root, "src", path.replace(/\.js$/, ".ts"));
    return { name: path, body: pageModule(await readFile(source, "utf8"), source) };
  }
  const name = normalize(join(publicFolder, path));
  if (!name.startsWith(publicFolder + sep)) throw Object.assign(new Error(), { code: "ENOENT" });
  return { name, body: await readFile(name) };
}
