import { expect, test } from "vitest";
import { sent, workspace } from "../stub-platform.ts";

test("members are found by a part of their name, in an order", async () => {
  expect(await sent("user list --search ada --sort role,email")).toMatchObject({
    exitCode: 0,
    requests: [
      [
        "members.list",
        { tenantId: workspace, page: "1", limit: "25", sort: "role,email", search: "ada" },
      ],
    ],
    stdout:
      "E-MAIL           NAME  ROLE  STATUS  ID\nada@example.org  word  word  word    0198f0a0-2222-7000-8000-000000000002\n",
  });
  expect(await sent("user list --count")).toMatchObject({
    exitCode: 0,
    requests: [
      [
        "members.list",
        { tenantId: workspace, page: "1", limit: "25", sort: "email", count: "true" },
      ],
    ],
    stdout:
      "E-MAIL           NAME  ROLE  STATUS  ID\nada@example.org  word  word  word    0198f0a0-2222-7000-8000-000000000002\n",
  });
});

test("wrong words are refused before any request", async () => {
  expect(await sent("user list --limit 0")).toMatchObject({ exitCode: 2, requests: [] });
});
