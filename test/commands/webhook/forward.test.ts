import { expect, test } from "vitest";
import { forwarded } from "#commands/webhook/forward.ts";
import { afterEveryTest } from "#test/support/cleanup.ts";

const delivery = { deliveryId: "d1", headers: { "webhook-id": "e-1" }, body: "{}" };
const signal = AbortSignal.timeout(30_000);

function program(fetch: (request: Request) => Response): URL {
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch });
  afterEveryTest(() => server.stop(true));
  return new URL(server.url);
}

test("a delivery is posted with its headers, and its status is the outcome", async () => {
  const target = program((request) =>
    request.headers.get("webhook-id") === "e-1"
      ? new Response(null, { status: 202 })
      : new Response(null, { status: 400 }),
  );
  expect(await forwarded(delivery, { target, signal })).toEqual({
    deliveryId: "d1",
    responseStatus: 202,
  });
});

test("a redirect of the program is its outcome", async () => {
  const target = program(() => Response.redirect("http://127.0.0.1:9/", 307));
  expect(await forwarded(delivery, { target, signal })).toMatchObject({ responseStatus: 307 });
});

test("a program that does not run is a failure with its reason", async () => {
  const outcome = await forwarded(delivery, { target: new URL("http://127.0.0.1:9/"), signal });
  expect(outcome).toMatchObject({ deliveryId: "d1", responseStatus: null });
  expect(outcome.error).not.toBe("");
});
