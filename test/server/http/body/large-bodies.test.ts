import { expect, test } from "vitest";
import { LargeBodies } from "#server/http/body/large-bodies.ts";

type Reading = Parameters<LargeBodies["read"]>[0];

function bodyOf(workspace: string, bytes: number): Reading {
  const request = new Request("http://localhost/", {
    method: "POST",
    headers: { "content-length": String(bytes) },
  });
  return { request, workspace: { id: workspace }, address: "::1", signedIn: undefined } as Reading;
}

test("one large body of each workspace is read at a time, small ones at once", async () => {
  const bodies = new LargeBodies();
  const order: string[] = [];
  const first = Promise.withResolvers<void>();
  const begun = (name: string, ended?: Promise<void>) => async () => {
    order.push(name);
    await ended;
    return 0;
  };
  const large = 1024 * 1024;
  const readings = [
    bodies.read(bodyOf("hostile", large), begun("first", first.promise)),
    bodies.read(bodyOf("hostile", large), begun("second")),
    bodies.read(bodyOf("other", large), begun("of another workspace")),
    bodies.read(bodyOf("hostile", 100), begun("small")),
  ];
  await Bun.sleep(10);
  expect(order.toSorted()).toEqual(["first", "of another workspace", "small"]);
  first.resolve();
  await Promise.all(readings);
  expect(order.at(-1)).toBe("second");
});

test("a body of unknown length waits for its turn", async () => {
  const bodies = new LargeBodies();
  const chunked = bodyOf("hostile", 0);
  chunked.request.headers.delete("content-length");
  chunked.request.headers.set("transfer-encoding", "chunked");
  const first = Promise.withResolvers<void>();
  const running = bodies.read(bodyOf("hostile", 1024 * 1024), async () => {
    await first.promise;
    return 0;
  });
  let isRead = false;
  const waiting = bodies.read(chunked, async () => {
    isRead = true;
    return 0;
  });
  await Bun.sleep(10);
  expect(isRead).toBe(false);
  first.resolve();
  await Promise.all([running, waiting]);
  expect(isRead).toBe(true);
});
