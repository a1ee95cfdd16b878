// The ceiling of the load generator on this machine: a server that does nothing.
const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response("{}") });
process.stdout.write(`${server.url.origin}\n`);
