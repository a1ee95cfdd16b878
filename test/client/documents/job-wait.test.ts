import { describe, expect, it } from "vitest";
import { clientOf, errorOf, problem, serve } from "../servers.ts";

const jobId = "0198f0a0-4444-7000-8000-000000000004";

describe("waiting for a job", () => {
  const job = (status: string, percentCompleted = 0) => ({ jobId, status, percentCompleted });
  const wantsEvents = (headers: Headers) =>
    headers.get("accept")?.startsWith("text/event-stream") === true;

  it("follows pushed states to the end", async () => {
    const server = serve(({ headers }) =>
      wantsEvents(headers)
        ? new Response(
            ["running", "running", "succeeded"]
              .map((status, n) => `id: ${n}\ndata: ${JSON.stringify(job(status, n))}\n\n`)
              .join(""),
            { headers: { "content-type": "text/event-stream" } },
          )
        : Response.json(job("queued")),
    );
    const seen: string[] = [];
    const result = await clientOf(server)
      .useDocuments()
      .waitForJob(jobId, {
        onChange: ({ status, percentCompleted }) => seen.push(`${status} ${percentCompleted}`),
      });
    expect(result).toMatchObject({ outcome: "succeeded", job: { percentCompleted: 2 } });
    expect(seen).toEqual(["queued 0", "running 0", "running 1", "succeeded 2"]);
    expect(server.seen).toHaveLength(2);
  });

  it.each(["succeeded", "completed_with_errors", "failed", "cancelled"])(
    "polls where nothing is pushed, to %s, with GET only",
    async (status) => {
      const server = serve(({ headers }, count) =>
        wantsEvents(headers)
          ? problem(406, "not-acceptable")
          : Response.json(job(count > 3 ? status : "running")),
      );
      const result = await clientOf(server).useDocuments().waitForJob(jobId);
      expect(result.outcome).toBe(status);
      expect(new Set(server.seen.map(({ method }) => method))).toEqual(new Set(["GET"]));
      expect(server.seen.filter(({ headers }) => wantsEvents(headers))).toHaveLength(1);
    },
  );

  it("polls where the platform answers with JSON although events were asked for", async () => {
    const server = serve((_request, count) =>
      Response.json(job(count > 3 ? "succeeded" : "running")),
    );
    expect((await clientOf(server).useDocuments().waitForJob(jobId)).outcome).toBe("succeeded");
  });

  it("continues after an outage, and reports it", async () => {
    const server = serve(({ headers }, count) =>
      count < 4 || wantsEvents(headers)
        ? problem(503, "overloaded")
        : Response.json(job("succeeded")),
    );
    const outages: string[] = [];
    const result = await clientOf(server, { retry: false })
      .useDocuments()
      .waitForJob(jobId, {
        onOutage: ({ code }) => outages.push(code),
      });
    expect(result.outcome).toBe("succeeded");
    expect(outages).toEqual(["E203", "E203", "E203"]);
  });

  it("is pending when the time runs out first, with the last state", async () => {
    const server = serve(({ headers }) =>
      wantsEvents(headers) ? problem(406, "not-acceptable") : Response.json(job("running", 40)),
    );
    const result = await clientOf(server).useDocuments().waitForJob(jobId, { waitMs: 300 });
    expect(result).toMatchObject({
      outcome: "pending",
      job: { status: "running", percentCompleted: 40 },
    });
  });

  it.each([Number.NaN, 0, 2 ** 31, Infinity])(
    "waits for no time that no timer holds: %d",
    async (waitMs) => {
      const server = serve(() => Response.json(job("running")));
      const waiting = clientOf(server).useDocuments().waitForJob(jobId, { waitMs });
      expect(await errorOf(waiting)).toMatchObject({ code: "E305" });
      expect(server.seen).toHaveLength(0);
    },
  );

  it("is pending while a stream of states has no end", async () => {
    const server = serve(({ headers }) =>
      wantsEvents(headers)
        ? new Response(
            new ReadableStream({
              start: (c) =>
                c.enqueue(
                  new TextEncoder().encode(`data: ${JSON.stringify(job("running", 7))}\n\n`),
                ),
            }),
            { headers: { "content-type": "text/event-stream" } },
          )
        : Response.json(job("queued")),
    );
    const result = await clientOf(server).useDocuments().waitForJob(jobId, { waitMs: 300 });
    expect(result).toMatchObject({ outcome: "pending", job: { percentCompleted: 7 } });
  });

  it("ends with a permanent failure", async () => {
    const gone = serve(() => problem(404, "not-found"));
    expect(await errorOf(clientOf(gone).useDocuments().waitForJob(jobId))).toMatchObject({
      code: "E202",
    });
    const signedOut = serve(() => problem(401, "token-invalid"));
    expect(await errorOf(clientOf(signedOut).useDocuments().waitForJob(jobId))).toMatchObject({
      code: "E103",
    });
    const reason = new Error("enough");
    const busy = serve(() => Response.json(job("running")));
    const wait = clientOf(busy)
      .useDocuments()
      .waitForJob(jobId, { signal: AbortSignal.timeout(100) });
    expect(String(await errorOf(wait))).not.toContain("E201");
    const early = clientOf(busy)
      .useDocuments()
      .waitForJob(jobId, { signal: AbortSignal.abort(reason) });
    expect(await errorOf(early)).toBe(reason);
  });
});
