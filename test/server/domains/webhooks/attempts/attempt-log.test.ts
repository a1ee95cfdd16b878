import { expect, test } from "vitest";
import { attemptsOf } from "#server/domains/webhooks/attempts/attempt-log.ts";
import { describePlatform, field } from "#test/support/platform.ts";
import {
  asAdmin,
  change,
  deliveriesOf,
  endpoints,
  loopback,
  newEndpoint,
  receiver,
  settle,
} from "../world.ts";

test("a delivery without an attempt has none, and one may lack its answer", () => {
  expect(attemptsOf({ attempt_log: null, attempt_answers: null })).toEqual([]);
  const lines = '[1,{"at":"2026-01-01T00:00:00Z"}]\n[2,{"at":"2026-01-02T00:00:00Z"}]\n';
  expect(attemptsOf({ attempt_log: lines, attempt_answers: '[2,"busy"]\n' })).toEqual([
    { at: "2026-01-01T00:00:00Z", responseBody: null },
    { at: "2026-01-02T00:00:00Z", responseBody: "busy" },
  ]);
});

describePlatform(
  "the attempts of a delivery",
  (the) => {
    test("each have the status, the kind of failure and the answer; an erasure takes answers", async () => {
      const answers = [
        () => new Response("busy\n", { status: 500 }),
        () => Response.redirect("http://127.0.0.1/other", 307),
        () => new Response("thanks"),
      ];
      const target = receiver(() => answers[target.received.length - 1]?.() ?? new Response());
      const { id } = await newEndpoint(the(), { url: target.url, kinds: ["record"] });
      await change(the(), "record-1", { op: "created" });
      for (const pauseMs of [0, 6_000, 6 * 60_000]) {
        the().advance(pauseMs);
        await settle(the());
      }
      const [listed] = await deliveriesOf(the(), id);
      expect(listed).toMatchObject({ status: "delivered", attempts: 3 });
      expect(listed).not.toHaveProperty("attemptLog");
      const admin = await asAdmin(the());
      const attempts = async () => {
        const { json } = await admin.get(`${endpoints}/${id}/deliveries/${listed?.id}`);
        return field(json, "attemptLog");
      };
      const expected = [
        { responseStatus: 500, failure: "status", error: "The endpoint answered 500" },
        { responseStatus: 307, failure: "redirect", error: "Redirects are not followed" },
        { responseStatus: 200, failure: null, error: null },
      ];
      const times = { at: expect.any(String), durationMs: expect.any(Number) };
      expect(await attempts()).toEqual([
        { ...expected[0], ...times, responseBody: "busy\n" },
        { ...expected[1], ...times, responseBody: null },
        { ...expected[2], ...times, responseBody: "thanks" },
      ]);
      const { tenant } = the().workspaces;
      await the().platform.services.webhooks.eraseAnswers(tenant, ["record-1"]);
      expect(await attempts()).toEqual(
        expected.map((each) => ({ ...each, ...times, responseBody: null })),
      );
      await admin.delete(`${endpoints}/${id}`);
    });

    test("without an answer name why there was none", async () => {
      const closed = receiver();
      const { id } = await newEndpoint(the(), { url: closed.url, kinds: ["record"] });
      await closed.close();
      await change(the(), "record-2", { op: "created" });
      await settle(the());
      const [listed] = await deliveriesOf(the(), id);
      const admin = await asAdmin(the());
      const { json } = await admin.get(`${endpoints}/${id}/deliveries/${listed?.id}`);
      expect(field(json, "attemptLog")).toMatchObject([
        { responseStatus: null, responseBody: null, failure: "connection" },
      ]);
      await admin.delete(`${endpoints}/${id}`);
    });
  },
  { options: loopback },
);
