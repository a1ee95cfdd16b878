import { describe, expect, it } from "vitest";
import { RetryPlan } from "#client/transport/retry-plan.ts";
import { TimeLimit } from "#lib/time/time-limit.ts";
import { clientOf, problem, serve } from "../servers.ts";

const params = { objectType: "licence" };
const page = { items: [], hasNextPage: false };

describe("each attempt", () => {
  it("is reported when it begins, and when it has a response", async () => {
    const told: string[] = [];
    const server = serve((_request, count) =>
      count === 1 ? problem(503, "overloaded") : Response.json(page),
    );
    const onSend = () => {
      told.push("sent");
      return () => told.push("ended");
    };
    await clientOf(server, { onSend }).resources.list({ params });
    expect(told).toEqual(["sent", "ended", "sent", "ended"]);
  });

  it("is reported when it is aborted", async () => {
    const aborter = new AbortController();
    const told: string[] = [];
    const server = serve(() => {
      told.push("asked");
      aborter.abort();
      return new Promise<Response>(() => {});
    });
    const onSend = () => () => told.push("ended");
    const { signal } = aborter;
    await expect(
      clientOf(server, { onSend }).resources.list({ params, signal }),
    ).rejects.toMatchObject({ name: "AbortError" });
    expect(told).toEqual(["asked", "ended"]);
  });
});

describe("another attempt", () => {
  it("is made when an attempt as long as the last fits into the limit", () => {
    const limit = new TimeLimit(60_000);
    const outgoing = {
      method: "GET",
      route: "/",
      url: "/",
      headers: new Headers(),
      signedIn: true,
      asks: true,
      many: false,
    };
    const after = (tookMs: number) =>
      new RetryPlan({}).pauseMs(
        outgoing,
        1,
        limit,
        { result: problem(503, "overloaded"), tookMs },
        false,
      );
    expect(after(10_000)).toBeGreaterThanOrEqual(0);
    expect(after(60_000)).toBeUndefined();
    limit.close();
  });
});
