import { networkFetch } from "#lib/network/network-fetch.ts";
import { certificate, privateKey } from "./self-signed.ts";

/** Asks its own plain and self-signed servers, in the environment of its parent. */
const plain = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response("direct") });
const secure = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  tls: { key: privateKey, cert: certificate },
  fetch: () => new Response("trusted"),
});

const direct = await (await networkFetch(new Request(plain.url.href))).text();
const trusted = await networkFetch(new Request(`https://127.0.0.1:${secure.port}/`)).then(
  async (response) => await response.text(),
  () => "refused",
);
console.log(direct, trusted);
await Promise.all([plain.stop(true), secure.stop(true)]);
