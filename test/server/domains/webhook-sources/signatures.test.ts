import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { describePlatform, field } from "#test/support/platform.ts";
import { eventually } from "#test/support/eventually.ts";
import { nextReference } from "../records/routes/ledger.ts";
import {
  callBody,
  github,
  inTenant,
  makeSource,
  receivedCalls,
  send,
  senders,
  sourcesPath,
  standard,
  timedSenders,
} from "./senders.ts";

const limits = { rateRequests: 100_000 };

describePlatform(
  "signed calls from outside",
  (the) => {
    describe.each(senders)("signed by $name", ({ scheme, fields }) => {
      test("are accepted once, and change a record by the source's key", async () => {
        const { source, secret, keyId } = await makeSource(the(), { scheme });
        const reference = nextReference();
        const body = callBody(reference);
        const signed = await fields(secret, body, new Date());
        const first = await send(the(), source, body, signed);
        expect(first.status, first.text).toBe(202);
        const again = await send(the(), source, body, signed);
        expect(again.json).toEqual({ id: field(first.json, "id"), duplicate: true });
        await eventually(async () => {
          const [call, ...others] = await receivedCalls(the(), source);
          expect(others).toEqual([]);
          expect(call).toMatchObject({ status: "done", effect: "upsert", error: null });
          const path = `/v4/data/resources/${the().workspaces.tenant}/ledger/${String(field(call, "subject"))}`;
          const record = await the().as("tenant-admin").get(path);
          expect(record.json).toMatchObject({
            version: 1,
            created_by: keyId,
            data: { reference, title: "from outside" },
          });
        });
      });

      test("are refused with another body, another secret and no signature", async () => {
        const { source, secret } = await makeSource(the(), { scheme });
        const body = callBody(nextReference());
        const signed = await fields(secret, body, new Date());
        const foreign = await fields(
          `whsec_${randomBytes(32).toString("base64")}`,
          body,
          new Date(),
        );
        const calls = [{}, Object.fromEntries(Object.keys(signed).map((name) => [name, "forged"]))];
        // A token does not cover the body, and another secret does not change a key's signature.
        const isKeyed = "publicKey" in scheme;
        for (const headers of isKeyed ? calls : [...calls, foreign]) {
          const refused = await send(the(), source, body, headers);
          expect(refused.status).toBe(401);
        }
        const isToken = field(scheme, "type") === "token";
        const changed = await send(the(), source, `${body} `, signed);
        expect(changed.status).toBe(isToken ? 202 : 401);
        expect(await receivedCalls(the(), source)).toHaveLength(isToken ? 1 : 0);
      });
    });

    test.each(timedSenders)("of $name are refused 6 min early and late", async (sender) => {
      const { source, secret } = await makeSource(the(), { scheme: sender.scheme });
      for (const minutes of [-6, 6]) {
        const body = callBody(nextReference());
        const at = new Date(Date.now() + minutes * 60_000);
        const refused = await send(the(), source, body, await sender.fields(secret, body, at));
        expect(refused.status).toBe(401);
      }
    });

    test("get one answer for an unknown source and a bad signature", async () => {
      const { source } = await makeSource(the());
      const body = callBody(nextReference());
      const fields = await standard.fields(
        `whsec_${randomBytes(32).toString("base64")}`,
        body,
        new Date(),
      );
      const unknown = randomBytes(32).toString("base64url");
      const answers = [];
      for (const name of [source, unknown]) {
        const { status, json, headers } = await send(the(), name, body, fields);
        const { requestId: _id, instance: _instance, ...rest } = json as Record<string, unknown>;
        answers.push({ status, rest, challenge: headers.get("www-authenticate") });
      }
      expect(answers[0]).toMatchObject({ status: 401, rest: { code: "token-invalid" } });
      expect(answers[1]).toEqual(answers[0]);
    });

    test("of 1,000 forgeries are all refused, and nothing is stored", async () => {
      const sources = [
        await makeSource(the(), { scheme: standard.scheme }),
        await makeSource(the(), { scheme: github.scheme }),
      ];
      const statuses = new Map<number, number>();
      for (let count = 0; count < 1_000; count += 20) {
        const some = Array.from({ length: 20 }, async (_value, at) => {
          const { source } = sources[at % 2] ?? { source: "" };
          const body = callBody(`forged ${count + at}`);
          const secret = `whsec_${randomBytes(32).toString("base64")}`;
          const sender = at % 2 === 0 ? standard : github;
          return send(the(), source, body, await sender.fields(secret, body, new Date()));
        });
        for (const { status } of await Promise.all(some)) {
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
        }
      }
      expect([...statuses]).toEqual([[401, 1_000]]);
      for (const { source } of sources) expect(await receivedCalls(the(), source)).toEqual([]);
    });

    test("of 50 equal copies at once are stored once", async () => {
      const { source, secret } = await makeSource(the());
      const body = callBody(nextReference());
      const fields = await standard.fields(secret, body, new Date());
      const copies = Array.from({ length: 50 }, () => send(the(), source, body, fields));
      const answers = await Promise.all(copies);
      expect(answers.every(({ status }) => status === 202)).toBe(true);
      expect(new Set(answers.map(({ json }) => field(json, "id"))).size).toBe(1);
      expect(answers.filter(({ json }) => field(json, "duplicate") === true)).toHaveLength(49);
      expect(await receivedCalls(the(), source)).toHaveLength(1);
    });

    test("larger than 1 MiB are refused before the signature is looked at", async () => {
      const { source } = await makeSource(the());
      const refused = await send(the(), source, "x".repeat(1024 * 1024 + 1), {});
      expect(refused.status).toBe(413);
    });

    test("of one source are limited, also unsigned ones", async () => {
      const { source } = await makeSource(the());
      let status = 0;
      for (let count = 0; count <= 1_200 && status !== 429; count += 50) {
        const some = Array.from({ length: 50 }, () => send(the(), source, "{}", {}));
        status = Math.max(...(await Promise.all(some)).map((answer) => answer.status));
      }
      expect(status).toBe(429);
    });

    test("keep no proof among their headers", async () => {
      const { source, secret } = await makeSource(the(), { scheme: github.scheme });
      const body = callBody(nextReference());
      const fields = {
        ...(await github.fields(secret, body, new Date())),
        "x-github-event": "push",
      };
      const { json } = await send(the(), source, body, { ...fields, cookie: "a=b" });
      const path = `${sourcesPath}/${source}/received/${String(field(json, "id"))}`;
      const call = await the().as("tenant-admin").get(path, inTenant(the()));
      expect(call.json).toMatchObject({ body, headers: { "x-github-event": "push" } });
      expect(call.text).not.toMatch(/x-hub-signature|cookie/);
    });

    test("with the vector that GitHub documents are accepted", async () => {
      const secret = ["It's a Secret to", "Every" + "body"].join(" ");
      const { source } = await makeSource(the(), {
        scheme: github.scheme,
        secret,
        mapping: "empty",
      });
      const body = "Hello, World!";
      const digest = "757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17";
      const fields = { "x-hub-signature-256": `sha256=${digest}` };
      const accepted = await send(the(), source, body, fields);
      expect(accepted.status).toBe(202);
    });
  },
  { limits },
);
