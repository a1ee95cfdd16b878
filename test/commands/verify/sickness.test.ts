import { describe, expect, test } from "vitest";
import { commandWorld } from "../world.ts";

const the = commandWorld();

type Answer = () => Response | Promise<Response>;

const failed = (code: string): Promise<Response> =>
  Promise.reject(Object.assign(new Error("the request failed"), { code }));

/** Answers that no platform in order gives, whatever the route. */
const broken: readonly (readonly [kind: string, answer: Answer, named: string])[] = [
  ["503", () => Response.json({}, { status: 503 }), "HTTP 503"],
  [
    "a page of HTML",
    () => new Response("<html></html>", { headers: { "content-type": "text/html" } }),
    "",
  ],
  ["a time-out", () => failed("ETIMEDOUT"), "E201"],
  ["a wrong certificate", () => failed("DEPTH_ZERO_SELF_SIGNED_CERT"), "E201"],
  [
    "a redirect",
    () => new Response(null, { status: 302, headers: { location: "https://login.example/" } }),
    "redirects to https://login.example",
  ],
];

const textual = { headers: { "content-type": "text/plain" } };

function backend(spelling: unknown): Answer {
  return () => Response.json({ status: "ok", components: { queue: spelling } });
}

const ofHealth: typeof broken = [
  ...broken,
  ["degraded", () => Response.json({ status: "degraded" }), "degraded"],
  ["DOWN", () => Response.json({ status: "DOWN" }), "DOWN"],
  ["healthy: false", () => Response.json({ healthy: false }), "healthy: false"],
  ["an empty body", () => new Response(""), "the response is not JSON"],
  ["0", () => Response.json(0), "no JSON object"],
  ["null", () => Response.json(null), "does not match"],
  ["204", () => new Response(null, { status: 204 }), "HTTP 204 with an empty body"],
  ["a broken connection", () => failed("ECONNRESET"), "was closed before the response ended"],
  [
    "503 that names the parts",
    () =>
      Response.json({ status: "down", components: { queue: { status: "down" } } }, { status: 503 }),
    "(queue: down)",
  ],
  ["a part: Offline", backend({ state: "Offline" }), "queue: Offline"],
  ["a part: NOT_SERVING", backend({ status: "NOT_SERVING" }), "queue: NOT_SERVING"],
  ["a part: inactive", backend({ status: "inactive" }), "queue: inactive"],
  ["a part: exception", backend({ status: "exception" }), "queue: exception"],
  ["a part: ECONNREFUSED", backend("ECONNREFUSED"), "queue: ECONNREFUSED"],
  ["a part: false", backend(false), "queue: false"],
  ["a part: status false", backend({ status: false }), "queue: status: false"],
  ['a part: healthy "false"', backend({ healthy: "false" }), "queue: false"],
  ["a part: up false", backend({ up: false }), "queue: up: false"],
];

const ofFamily: typeof broken = [
  ["nothing", () => new Response(""), "an empty body"],
  ["a text DOWN", () => new Response("DOWN", textual), '"DOWN"'],
  ["a status DOWN", () => Response.json({ status: "DOWN" }), "DOWN"],
];

/** The lines and the exit code of `svc verify` where these paths are sick. */
async function verified(isSick: (path: string) => boolean, answer: Answer) {
  const { platform } = the().platform;
  const { exitCode, stdout } = await the().svc("verify", {
    fetch: async (request) =>
      isSick(new URL(request.url).pathname) ? answer() : platform.fetch(request),
  });
  return { exitCode, lines: stdout.split("\n") };
}

describe("svc verify at a platform with", () => {
  test.each(ofHealth)("a health of %s exits with 1 and names it", async (_kind, answer, named) => {
    const { exitCode, lines } = await verified((path) => path.endsWith("/health"), answer);
    expect(exitCode).toBe(1);
    expect(lines[0]).toMatch(/^✗ platform health: /);
    expect(lines[0]).toContain(named);
  });

  test.each([...broken, ...ofFamily])(
    "families that answer with %s names each",
    async (_kind, answer, named) => {
      const families = ["geo", "realtime", "webhooks", "verticals"];
      const isFamily = (path: string) => families.includes(path.split("/")[2] ?? "");
      const { exitCode, lines } = await verified(isFamily, answer);
      expect(exitCode).toBe(1);
      const ofFamilies = lines.filter((line) =>
        families.some((name) => line.includes(` ${name}: `)),
      );
      expect(ofFamilies).toEqual(
        families.map((name) => expect.stringMatching(new RegExp(`^✗ ${name}: .*`))),
      );
      for (const line of ofFamilies) expect(line).toContain(named);
    },
  );
});
