import { describe, expect, it } from "vitest";
import { newsOf } from "#ui/shell/platform/feed/news.ts";

describe("the news of an event", () => {
  it("are of the list that shows its subject", () => {
    const data = { id: "r1", objectType: "licence", actor: "ada" };
    expect(newsOf({ type: "svc.resource.updated", data })).toEqual({
      place: "records/licence",
      id: "r1",
      isEnd: false,
      actor: "ada",
    });
    expect(newsOf({ type: "svc.document.job.completed", data: { id: "j1" } })).toMatchObject({
      place: "jobs",
      id: "j1",
    });
    expect(newsOf({ type: "svc.review.created", data: { id: "d1" } })).toMatchObject({
      place: "documents",
    });
  });

  it("end with the deletion of a record, and not with that of its file", () => {
    const data = { id: "r1", objectType: "licence" };
    expect(newsOf({ type: "svc.resource.deleted", data })).toMatchObject({ isEnd: true });
    expect(newsOf({ type: "svc.file.deleted", data })).toMatchObject({ isEnd: false });
  });

  it("are none of an invitation, of a bookmark and of another noun", () => {
    const job = { id: "j1", kind: "geo-report" };
    expect(newsOf({ type: "svc.document.job.completed", data: job })).toBeUndefined();
    for (const type of ["svc.member.invited", "svc.feed.bookmark", "svc.app.created"]) {
      expect(newsOf({ type, data: { id: "x" } })).toBeUndefined();
    }
    expect(newsOf({ type: "svc.resource.created", data: {} })).toBeUndefined();
  });
});
