import { expect, test } from "vitest";
import { sent, workspace } from "../stub-platform.ts";

const noMember = { "members.byEmail": Response.json({ code: "not-found" }, { status: 404 }) };

test("a stranger is invited with a role and names", async () => {
  const words = "user invite --email new@example.org --role tenant-staff --first-name New";
  const { requests } = await sent(`${words} --force`, { answers: noMember });
  expect(requests.at(-1)).toEqual([
    "members.invite",
    { tenantId: workspace },
    expect.objectContaining({ email: "new@example.org", role: "tenant-staff", firstName: "New" }),
  ]);
});

test.each([
  "user invite --email no-address",
  "user invite --email a@b --role king",
  "user invite --email a@b --redirect-uri ftp://x",
])("%s is refused before any request", async (words) => {
  expect(await sent(words)).toMatchObject({ exitCode: 2, requests: [] });
});
