import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { eventually } from "#test/support/eventually.ts";
import { describeNeeding } from "#test/support/needs.ts";
import { createTestPlatform, openTestPlatform, type TestPlatform } from "#test/support/platform.ts";
import { missingPostgres } from "#test/support/postgres.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { makeSource, receivedCalls, send, standard } from "../webhook-sources/senders.ts";
import { change, deliveriesOf, loopback, newEndpoint, receiver } from "./world.ts";

describeNeeding("webhooks of three platforms on one database", missingPostgres, () => {
  const all: TestPlatform[] = [];
  beforeAll(async () => {
    const first = await openTestPlatform("postgresql", { options: loopback });
    all.push(first);
    const { engine, databaseUrl: url, dataDirectory } = first;
    for (let count = 0; count < 2; count += 1) {
      const database = { engine, url, path: undefined, drop: async () => {} };
      const keyFile = join(dataDirectory, "svc.key");
      const options = { ...loopback, keyFile, dataDirectory: await temporaryDirectory("data") };
      all.push(await createTestPlatform({ database, residents: first, options }));
    }
  });
  afterAll(async () => {
    for (const the of all.toReversed()) await the.close();
  });
  const first = (): TestPlatform => {
    const [one] = all;
    if (one === undefined) throw new Error("the platforms are not there before the tests run");
    return one;
  };

  test("deliver each change once, in the order of its record", async () => {
    const target = receiver();
    const { id } = await newEndpoint(first(), {
      url: target.url,
      kinds: ["record"],
      ordered: true,
    });
    const records = ["a", "b", "c", "d"];
    const versions = [1, 2, 3, 4, 5];
    for (const version of versions) {
      await Promise.all(
        records.map((name, at) => change(all[(at + version) % 3] ?? first(), name, { version })),
      );
    }
    await eventually(() => expect(target.received).toHaveLength(records.length * versions.length));
    for (const name of records) {
      const own = target.received.filter(({ body }) => body["subject"] === `permit/${name}`);
      expect(own.map(({ body }) => body["version"])).toEqual(versions);
    }
    // The receiver has a request before its platform has stored the outcome.
    await eventually(async () => {
      const deliveries = await deliveriesOf(first(), id);
      expect(new Set(deliveries.map(({ attempts }) => attempts))).toEqual(new Set([1]));
    });
  });

  test("accept one of many equal calls, whichever of them gets it", async () => {
    const { source, secret } = await makeSource(first(), { mapping: "empty" });
    const body = "an equal body";
    const fields = await standard.fields(secret, body, new Date());
    const copies = Array.from({ length: 50 }, (_, at) =>
      send(all[at % 3] ?? first(), source, body, fields),
    );
    const answers = await Promise.all(copies);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]));
    expect(await receivedCalls(first(), source)).toHaveLength(1);
  });
});
