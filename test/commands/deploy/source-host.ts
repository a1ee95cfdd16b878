import { runCommand, type CallSettings } from "../world.ts";

/** A source host on this machine with one repository, and the requests that it received. */
export function sourceHost(runs: readonly object[] = [], hasVariable = false) {
  const received: { method: string; path: string; body: unknown }[] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const { pathname, search } = new URL(request.url);
      const text = await request.text();
      const path = pathname + search;
      received.push({
        method: request.method,
        path,
        body: text === "" ? undefined : JSON.parse(text),
      });
      if (request.headers.get("authorization") !== "Bearer host-token-1") {
        return Response.json({ message: "Bad credentials" }, { status: 401 });
      }
      if (path === "/repos/north/portal") return Response.json({ default_branch: "main" });
      if (path === "/repos/north/moved") {
        return new Response(null, { status: 302, headers: { location: "http://127.0.0.1:9/" } });
      }
      if (pathname.endsWith("/actions/variables")) {
        return new Response(null, { status: hasVariable ? 409 : 201 });
      }
      if (pathname.endsWith("/actions/variables/BASE_URL_PUBLIC_API")) {
        return new Response(null, { status: 204 });
      }
      if (pathname.endsWith("/actions/workflows")) {
        return Response.json({ workflows: [{ path: ".github/workflows/deploy-demo.yml" }] });
      }
      if (pathname.endsWith("/dispatches")) return new Response(null, { status: 204 });
      if (pathname.endsWith("/actions/runs")) return Response.json({ workflow_runs: runs });
      return Response.json({ message: "Not Found" }, { status: 404 });
    },
  });
  const svc = (words: string, token = "host-token-1") => {
    const settings: CallSettings = {
      variables: {
        SVC_SOURCE_HOST_URL: `http://127.0.0.1:${server.port}`,
        SVC_SOURCE_HOST_TOKEN: token,
        SVC_CONFIG_DIR: "/nowhere/config",
      },
      fetch: (request) => fetch(request),
    };
    return runCommand(`${words} --format json`, settings);
  };
  return { received, svc, [Symbol.asyncDispose]: () => server.stop(true) };
}
