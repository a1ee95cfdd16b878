import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import { isThisMachine } from "./guard.mjs";

/** Passes a request on to the platform, and its answer back, piece by piece. */
export function platformProxy(platform) {
  const send = platform.protocol === "https:" ? httpsRequest : httpRequest;
  const prefix = platform.origin + platform.pathname.replace(/\/$/, "");
  return (request, response) => {
    // A path that begins with two slashes would name another host.
    const { pathname, search } = new URL(request.url, "http://page");
    const options = { method: request.method, headers: passedHeaders(request.headers, platform) };
    const outgoing = send(new URL(prefix + pathname + search), options, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    outgoing.on("error", () => {
      if (!response.headersSent) {
        response.writeHead(502, { "content-type": "application/problem+json" });
        const title = "The platform can't be reached";
        response.end(JSON.stringify({ status: 502, title, detail: `${title} at ${prefix}` }));
        return;
      }
      response.destroy();
    });
    response.on("close", () => outgoing.destroy());
    request.pipe(outgoing);
  };
}

/** The platform compares Origin with Host: both keep the page's address, or both change. */
function passedHeaders(headers, platform) {
  if (isThisMachine(platform.host)) return headers;
  const { origin } = headers;
  return { ...headers, host: platform.host, ...(origin && { origin: platform.origin }) };
}
