import { createHash, createHmac } from "node:crypto";

interface Setting {
  readonly key: string;
  readonly label: string | null;
  readonly value: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly content_type: string;
}

/** A configuration store on this machine that checks each request's HMAC signature. */
export function configurationServer() {
  const id = "local";
  const secret = Buffer.from("a secret of the test").toString("base64");
  const stored = new Map<string, Setting>();
  let refused = 0;

  /** Whether the date, the host and the body's digest are signed with the secret. */
  const isSigned = (request: Request, body: string): boolean => {
    const url = new URL(request.url);
    const header = request.headers.get("authorization") ?? "";
    const [, names = "", signature] = /SignedHeaders=([^&]+)&Signature=(.+)$/.exec(header) ?? [];
    const digest = createHash("sha256").update(body).digest("base64");
    if (request.headers.get("x-ms-content-sha256") !== digest) return false;
    const values = names
      .split(";")
      .map((name) => (name === "host" ? url.host : request.headers.get(name)));
    const text = [request.method, url.pathname + url.search, values.join(";")].join("\n");
    const key = Buffer.from(secret, "base64");
    return createHmac("sha256", key).update(text).digest("base64") === signature;
  };

  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const body = await request.text();
      if (!isSigned(request, body)) {
        refused += 1;
        return new Response(null, { status: 401 });
      }
      const url = new URL(request.url);
      const label = url.searchParams.get("label");
      if (request.method === "GET" && url.pathname === "/kv") {
        const prefix = (url.searchParams.get("key") ?? "*").replace(/\*$/, "");
        const items = [...stored.values()].filter(
          (one) => one.key.startsWith(prefix) && one.label === label,
        );
        const headers = { "content-type": "application/vnd.microsoft.appconfig.kvset+json" };
        return new Response(JSON.stringify({ items }), { headers });
      }
      if (request.method !== "PUT") return new Response(null, { status: 405 });
      const key = decodeURIComponent(url.pathname.slice("/kv/".length));
      const setting = { ...(JSON.parse(body) as Setting), key, label };
      stored.set(`${key}\0${label}`, setting);
      return Response.json({ ...setting, etag: "1", last_modified: "2026-11-20T00:00:00Z" });
    },
  });
  const origin = `http://127.0.0.1:${server.port}`;
  return {
    origin,
    connectionString: `Endpoint=${origin};Id=${id};Secret=${secret}`,
    settings: () => [...stored.values()],
    get refused() {
      return refused;
    },
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}
