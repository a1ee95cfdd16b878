import { expect, test } from "vitest";
import { eventually } from "#test/support/eventually.ts";
import { describePlatform } from "#test/support/platform.ts";
import {
  asAdmin,
  change,
  deliveriesOf,
  endpoints,
  loopback,
  newEndpoint,
  receiver,
  settle,
  verified,
} from "./world.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

describePlatform(
  "deliveries of webhooks",
  (the) => {
    test("arrive signed, once for each change, with the cursor of the feed", async () => {
      const target = receiver();
      const { id, secret } = await newEndpoint(the(), { url: target.url });
      await change(the(), "record-1", { version: 1, op: "created" });
      await change(the(), "record-1", { version: 2, changed: ["name"] });
      await settle(the());
      const own = target.received.filter(({ body }) =>
        String(body["subject"]).startsWith("permit"),
      );
      expect(own.map(({ body }) => [body["type"], body["subject"], body["version"]])).toEqual([
        ["svc.resource.created", "permit/record-1", 1],
        ["svc.resource.updated", "permit/record-1", 2],
      ]);
      const [first] = own;
      expect(first && verified(secret, first)).toEqual(first?.body);
      expect(first?.headers["webhook-signature"]).toMatch(/^v1,\S{44} v1a,\S{88}$/);
      expect(first?.body["svccursor"]).toEqual(expect.any(String));
      expect(await deliveriesOf(the(), id)).toMatchObject([
        { status: "delivered", attempts: 1, responseStatus: 204 },
        { status: "delivered", attempts: 1, responseStatus: 204 },
      ]);
      await (await asAdmin(the())).delete(`${endpoints}/${id}`);
    });

    test("are retried nine times, then fail, and can be replayed", async () => {
      const target = receiver(() => new Response("busy", { status: 500 }));
      const { id } = await newEndpoint(the(), { url: target.url, kinds: ["record"] });
      await change(the(), "record-2", { op: "created" });
      const pausesMs = [5_000, 5 * minuteMs, 30 * minuteMs, 2, 5, 10, 14, 20, 24];
      for (const [at, pause] of pausesMs.entries()) {
        await settle(the());
        expect(target.received).toHaveLength(at + 1);
        the().advance((at < 3 ? pause : pause * hourMs) * 1.1 + 1_000);
      }
      await settle(the());
      expect(target.received).toHaveLength(10);
      const [failed] = await deliveriesOf(the(), id);
      expect(failed).toMatchObject({
        status: "failed",
        attempts: 10,
        responseStatus: 500,
        responseBody: "busy",
      });
      the().advance(100 * hourMs);
      await settle(the());
      expect(target.received).toHaveLength(10);

      target.answer = () => new Response(null, { status: 200 });
      const replayed = await (
        await asAdmin(the())
      ).post(`${endpoints}/${id}/replay`, { failed: true });
      expect(replayed.json).toMatchObject({ replayed: 1, complete: true });
      await settle(the());
      const ids = target.received.map(({ headers }) => headers["webhook-id"]);
      expect(new Set(ids).size).toBe(1);
      expect(await deliveriesOf(the(), id)).toMatchObject([
        { status: "delivered", origin: "replay", eventId: failed?.eventId },
        { status: "failed" },
      ]);
      await (await asAdmin(the())).delete(`${endpoints}/${id}`);
    });

    test("wait for Retry-After", async () => {
      const target = receiver(
        () => new Response(null, { status: 503, headers: { "retry-after": "3600" } }),
      );
      const { id } = await newEndpoint(the(), { url: target.url, kinds: ["record"] });
      await change(the(), "record-3");
      await settle(the());
      the().advance(50 * minuteMs);
      await settle(the());
      expect(target.received).toHaveLength(1);
      the().advance(11 * minuteMs);
      await settle(the());
      expect(target.received).toHaveLength(2);
      await (await asAdmin(the())).delete(`${endpoints}/${id}`);
    });

    test("stop after 410, and continue at their place after the endpoint is enabled", async () => {
      const target = receiver(() => new Response(null, { status: 410 }));
      const { id } = await newEndpoint(the(), { url: target.url, kinds: ["record"] });
      await change(the(), "record-4");
      await settle(the());
      await change(the(), "record-5");
      the().advance(hourMs);
      await settle(the());
      expect(target.received).toHaveLength(1);
      const disabled = await (await asAdmin(the())).get(`${endpoints}/${id}`);
      expect(disabled.json).toMatchObject({ status: "disabled", disabledReason: "gone" });

      target.answer = () => new Response(null, { status: 200 });
      await (await asAdmin(the())).post(`${endpoints}/${id}/enable`);
      await settle(the());
      const subjects = target.received.map(({ body }) => String(body["subject"]));
      expect(subjects.slice(1).toSorted()).toEqual(["permit/record-4", "permit/record-5"]);
      await (await asAdmin(the())).delete(`${endpoints}/${id}`);
    });

    test("do not follow redirects", async () => {
      const inner = receiver();
      const target = receiver(() => Response.redirect(inner.url, 307));
      const { id } = await newEndpoint(the(), { url: target.url, kinds: ["record"] });
      await change(the(), "record-6");
      await settle(the());
      expect(inner.received).toEqual([]);
      expect(await deliveriesOf(the(), id)).toMatchObject([
        { status: "pending", responseStatus: 307, error: "Redirects are not followed" },
      ]);
      await (await asAdmin(the())).delete(`${endpoints}/${id}`);
    });

    test("of one record wait for its failing one; those of others do not", async () => {
      const target = receiver(({ body }) => {
        const isFirst = body["subject"] === "permit/a" && body["version"] === 1;
        return new Response(null, { status: isFirst && target.received.length < 4 ? 500 : 200 });
      });
      const wanted = { url: target.url, kinds: ["record"], ordered: true };
      const { id } = await newEndpoint(the(), wanted);
      for (const version of [1, 2]) {
        for (const subject of ["a", "b"]) await change(the(), subject, { version });
      }
      await settle(the());
      const seen = (): unknown[] =>
        target.received.map(
          ({ body }) => `${String(body["subject"]).slice(-1)}${String(body["version"])}`,
        );
      expect(seen().filter((one) => one !== "a1")).toEqual(["b1", "b2"]);
      the().advance(6_000);
      await settle(the());
      expect(seen()).toEqual(expect.arrayContaining(["a2"]));
      expect(seen().indexOf("a2")).toBe(seen().length - 1);
      await (await asAdmin(the())).delete(`${endpoints}/${id}`);
    });

    test("keep at most 2 KiB of an endless answer", async () => {
      const target = receiver(() => {
        const chunk = new TextEncoder().encode("x".repeat(1024));
        return new Response(
          new ReadableStream({ pull: (controller) => controller.enqueue(chunk) }),
        );
      });
      const { id } = await newEndpoint(the(), { url: target.url, kinds: ["record"] });
      await change(the(), "record-7");
      await settle(the());
      const [delivery] = await deliveriesOf(the(), id);
      expect(delivery).toMatchObject({ status: "delivered", responseBody: "x".repeat(2048) });
      await (await asAdmin(the())).delete(`${endpoints}/${id}`);
    });

    test("of a test have one attempt", async () => {
      const target = receiver(() => new Response(null, { status: 500 }));
      const { id } = await newEndpoint(the(), { url: target.url, kinds: ["record"] });
      const made = await (await asAdmin(the())).post(`${endpoints}/${id}/test`);
      expect(made).toMatchObject({ status: 202, json: { status: "pending", origin: "test" } });
      await settle(the());
      expect(target.received).toMatchObject([{ body: { type: "svc.webhook.test" } }]);
      expect(await deliveriesOf(the(), id)).toMatchObject([{ status: "failed", attempts: 1 }]);
      await (await asAdmin(the())).delete(`${endpoints}/${id}`);
    });

    test("of a test need a program that takes those of a temporary endpoint", async () => {
      const { id } = await newEndpoint(the(), { temporary: true });
      const admin = await asAdmin(the());
      expect(await admin.post(`${endpoints}/${id}/test`)).toMatchObject({ status: 202 });
      the().advance(16_000);
      expect(await admin.post(`${endpoints}/${id}/test`)).toMatchObject({
        status: 409,
        json: { detail: expect.stringContaining("svc webhook listen") },
      });
      expect(await admin.post(`${endpoints}/${id}/pull`, {})).toMatchObject({ status: 200 });
      expect(await admin.post(`${endpoints}/${id}/test`)).toMatchObject({ status: 202 });
      await admin.delete(`${endpoints}/${id}`);
    });

    test("begin by themselves after a change", async () => {
      const target = receiver();
      const { id } = await newEndpoint(the(), { url: target.url, kinds: ["record"] });
      await change(the(), "record-8");
      await eventually(() => expect(target.received).toHaveLength(1));
      await (await asAdmin(the())).delete(`${endpoints}/${id}`);
    });

    test("never quote conversations, nor members to a lower role", async () => {
      const [low, high] = [receiver(), receiver()];
      await newEndpoint(the(), { url: low.url });
      await newEndpoint(the(), { url: high.url, role: "tenant-admin" });
      await change(the(), "someone", { kind: "member" });
      await change(the(), "talk", { kind: "conversation", participants: ["someone"] });
      await change(the(), "record-9");
      await settle(the());
      const subjects = (all: typeof low) => all.received.map(({ body }) => String(body["subject"]));
      expect(subjects(low)).toEqual(["permit/record-9"]);
      expect(subjects(high).toSorted()).toEqual(["permit/record-9", "someone"]);
    });
  },
  { options: loopback },
);
