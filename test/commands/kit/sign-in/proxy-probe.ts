import { createClient } from "#client/client.ts";
import { proxyVariable } from "#commands/kit/sign-in/proxy-variable.ts";
import { CatalogError } from "#contract/errors.ts";

/** Sends requests through proxies that the environment names; a child process of the test. */

/** A proxy that answers each request with a status. */
function proxy(status: string) {
  const seen: string[] = [];
  const { port } = Bun.listen({
    hostname: "127.0.0.1",
    port: 0,
    socket: {
      data(socket) {
        seen.push(status);
        socket.write(`HTTP/1.1 ${status}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`);
        socket.end();
      },
    },
  });
  return { seen, url: `http://127.0.0.1:${port}` };
}

const names = ["http_proxy", "https_proxy", "all_proxy", "no_proxy"];
const proxies = { refusing: proxy("502 Bad Gateway"), asking: proxy("407 Proxy Authentication") };

export interface ProbeCase {
  readonly url: string;
  /** Variables; the values `refusing` and `asking` are replaced by proxies. */
  readonly variables: Readonly<Record<string, string>>;
}

export interface ProbeResult {
  /** Whether the runtime has sent the request to a proxy. */
  readonly isProxied: boolean;
  /** The variable that the client names. */
  readonly variable: string | undefined;
  readonly hint: string | undefined;
}

async function probe({ url, variables }: ProbeCase): Promise<ProbeResult> {
  for (const name of names) {
    delete process.env[name];
    delete process.env[name.toUpperCase()];
  }
  for (const [name, value] of Object.entries(variables)) {
    const known = value === "refusing" || value === "asking" ? proxies[value].url : value;
    process.env[name] = known;
  }
  const seenBefore = proxies.refusing.seen.length + proxies.asking.seen.length;
  const variable = proxyVariable(new URL(url), process.env);
  const options = { baseUrl: url, token: "t", retry: false, insecureHttp: true } as const;
  const client = createClient({ ...options, proxyVariable: variable });
  const error = await client.identity.me().catch((reason: unknown) => reason);
  const isProxied = proxies.refusing.seen.length + proxies.asking.seen.length > seenBefore;
  const hint = error instanceof CatalogError ? error.hint : String(error);
  return { isProxied, variable, hint };
}

const results: ProbeResult[] = [];
for (const one of JSON.parse(await Bun.stdin.text()) as ProbeCase[]) results.push(await probe(one));
console.log(JSON.stringify(results));
process.exit(0);
