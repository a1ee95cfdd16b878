// Serves the pages and passes /v4 on to the platform, so that both have one origin. It keeps no
// token: the page has it, and sends it with each request.
import { createServer } from "node:http";
import { ownAddress, requestCheck } from "./server/guard.mjs";
import { pageFiles } from "./server/pages.mjs";
import { platformProxy } from "./server/proxy.mjs";
import { readEnvironment } from "./server/environment.mjs";
import { signIn } from "./server/sign-in.mjs";

const environment = readEnvironment();
const platform = new URL(environment.BASE_URL_PUBLIC_API || "http://127.0.0.1:4400");
const reloads = environment.SVC_DEV_TURBO === "1";
const pages = pageFiles({ reloads });
const passOn = platformProxy(platform);

const server = createServer((request, response) => {
  answer(request, response).catch((error) => {
    console.error(error);
    if (!response.headersSent) response.writeHead(500, { "content-type": "text/plain" });
    response.end("The app's server failed");
  });
});

async function answer(request, response) {
  const own = ownAddress(environment, server.address().port);
  const foreign = requestCheck(own)(request);
  if (foreign !== undefined) {
    response.writeHead(403, { "content-type": "text/plain" });
    response.end(`The ${foreign} of this request is not of this app`);
    return;
  }
  const { pathname, search } = new URL(request.url, "http://page");
  if (pathname.startsWith("/v4/")) return passOn(request, response);
  if (pathname.startsWith("/sign-in/")) {
    return signIn({ environment, platform, own })(pathname, request, response);
  }
  // A sign-in returns to one address only, so the pages have one address too.
  if (`http://${request.headers.host}` !== own.origin && own.host !== request.headers.host) {
    response.writeHead(302, { location: own.origin + pathname + search }).end();
    return;
  }
  await pages(pathname, response);
}

server.listen(Number(environment.PORT ?? 3000), "127.0.0.1", () => {
  console.log(`ready on ${ownAddress(environment, server.address().port).origin}`);
});
