import { describe, expect, test } from "vitest";
import * as z from "zod";
import { dialects } from "#test/support/other-deployment/dialects.ts";
import { otherPlaces } from "../deployments.ts";
import { commandWorld, platformDown } from "../world.ts";

const the = commandWorld();
const start = otherPlaces();

describe("verify calls", () => {
  const stateOf = (json: unknown): Map<string, string> => {
    const { calls } = z
      .object({ calls: z.array(z.object({ call: z.string(), state: z.string() })) })
      .parse(json);
    return new Map(calls.map(({ call, state }) => [call, state]));
  };

  test.each(dialects)("of the deployment $name says what it has and what it lacks", async (own) => {
    const { run, names, deployment } = await start(own);
    const words = "verify calls --format json --resource-type street-tree";
    const values = ["--resource-id", names["record"] ?? "", "--user-email", "ada@example.org"];
    const { exitCode, json } = await run([...words.split(" "), ...values]);
    expect({ exitCode, json }).toMatchObject({ exitCode: 0, json: { ok: true } });
    const states = stateOf(json);
    const resources = "/v4/data/resources/{tenantId}";
    expect(states.get(`GET ${resources}/{objectType}/{id}/history`)).toBe("present");
    expect(states.get("GET /v4/platform/capabilities/catalog")).toBe("present");
    expect(states.get("GET /v4/data/documents/records")).toBe("absent");
    const doctor = own.without.includes("doctor") ? "absent" : "present";
    expect(states.get(`GET ${resources}/storage/doctor`)).toBe(doctor);
    const workflow = "GET /v4/workflows/runtime/{workflow}/status";
    expect(states.get(workflow)).toBe("not checked");
    // Nothing is written, and the chat is not asked.
    const written = deployment.seen.filter((call) => !call.startsWith("GET "));
    expect(
      written.filter(
        (call) => !/(query|search|aggregate|index-plan|resolve-location|negotiate)$/.test(call),
      ),
    ).toEqual([]);
  });

  test("asks the chat only with --include-chat", async () => {
    const [own] = dialects;
    const { run, deployment } = await start(own!);
    const words = "verify calls --workflow tree-advice --include-chat --format json";
    const { json } = await run(words.split(" "));
    const path = "{tenantId}/{workflowId}/{stage}";
    expect(stateOf(json).get(`POST /v4/ai/chat/stream/${path}`)).toBe("present");
    expect(deployment.seen.filter((call) => call.includes("/v4/ai/chat/"))).toHaveLength(2);
  });

  test("a part that an option names must be present", async () => {
    const own = dialects.find(({ without }) => without.includes("readiness"));
    const { run } = await start(own!);
    const { exitCode, stdout } = await run("verify calls --workflow tree-advice".split(" "));
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/– GET \/v4\/integrations\/builder\/readiness +absent, HTTP 405/);
  });

  test("of the embedded platform as a viewer names what is not permitted", async () => {
    const { exitCode, json, stderr } = await the().json("verify calls", { as: "tenant-viewer" });
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    const states = stateOf(json);
    expect(states.get("GET /v4/data/resources/{tenantId}/storage/doctor")).toBe("not permitted");
    expect(states.get("GET /v4/data/documents/records")).toBe("present");
  });

  test("without a sign-in, and without a platform, one error says so", async () => {
    const signedOut = await the().json("verify calls", { as: "anonymous" });
    expect(signedOut).toMatchObject({ exitCode: 4, json: { error: { code: "E101" } } });
    const down = await the().json("verify calls", { fetch: platformDown });
    expect(down).toMatchObject({ exitCode: 1, json: { error: { code: "E201" } } });
  });

  test.each([
    { type: "text/html", text: "<title>Sign in to the network</title>" },
    { type: "application/json", text: "<title>Sign in to the network</title>" },
    { type: "application/json", text: "null" },
    { type: "application/json", text: "1e999" },
  ])("$text as $type is no part of the interface", async ({ type, text }) => {
    const fetch = async (): Promise<Response> =>
      new Response(text, { headers: { "content-type": type } });
    const { exitCode, json } = await the().json("verify calls", { fetch });
    expect(exitCode).toBe(1);
    expect(json).toMatchObject({ ok: false, counts: { present: 0, absent: 0 } });
  });

  test("an answer that breaks off is a failing part, and the others are asked", async () => {
    const broken = (): Response =>
      new Response(
        new ReadableStream({
          start(controller) {
            controller.enqueue(new TextEncoder().encode('{"items":['));
            controller.error(new Error("cut"));
          },
        }),
        { headers: { "content-type": "application/json" } },
      );
    const fetch = async (request: Request): Promise<Response> =>
      request.url.endsWith("/v4/identity/tenants")
        ? broken()
        : await the().platform.platform.fetch(request);
    const { exitCode, json } = await the().json("verify calls", { fetch });
    expect(exitCode).toBe(1);
    const states = stateOf(json);
    expect(states.get("GET /v4/identity/tenants")).toBe("failing");
    expect(states.get("GET /v4/data/documents/records")).toBe("present");
    expect(JSON.stringify(json)).toContain("HTTP 200 with an answer that breaks off");
  });
});
