import { expect, test } from "vitest";
import { id, sent, workspace } from "../stub-platform.ts";

const member = { memberId: id, oid: id, email: "ada@b.test" };

test("a member is found by address before anything is changed", async () => {
  const answers = { "members.byEmail": member };
  const { requests } = await sent("user disable ada@b.test --force", { answers });
  expect(requests.map(([route]) => route)).toEqual(["members.byEmail", "members.disable"]);
  expect(requests[1]?.[1]).toEqual({ tenantId: workspace, memberId: id });
});

test("an address without a member changes nothing", async () => {
  const missing = Response.json({ code: "not-found" }, { status: 404 });
  const { exitCode, requests } = await sent("user disable ada@b.test --force", {
    answers: { "members.byEmail": missing },
  });
  expect(exitCode).toBe(1);
  expect(requests.map(([route]) => route)).not.toContain("members.disable");
});
