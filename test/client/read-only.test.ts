import { expect, test } from "vitest";
import { createClient } from "#client/client.ts";

test("a client that only reads sends reads, also by POST, and refuses changes", async () => {
  const sent: string[] = [];
  const client = createClient({
    baseUrl: "http://127.0.0.1:1",
    token: "token",
    tenantId: "0198f0a0-1111-7000-8000-000000000001",
    readOnly: "this is a copy",
    fetch: (request) => {
      sent.push(`${request.method} ${new URL(request.url).pathname}`);
      return Promise.resolve(Response.json({ items: [], results: [], mode: "fulltext" }));
    },
  });
  const trees = client.useResources("tree");
  await trees.list();
  await trees.search("oak");
  const refused = {
    code: "E204",
    hint: expect.stringMatching(/^POST \/v4\/.* was not sent: this is a copy$/),
    problem: { code: "read-only" },
  };
  await expect(trees.create({ name: "oak" })).rejects.toMatchObject(refused);
  await expect(client.useChat("helper").send("What?")).rejects.toMatchObject(refused);
  await expect(client.request("POST", "/v4/x", { body: "{}" })).rejects.toMatchObject(refused);
  expect(sent.map((line) => line.split(" ")[0])).toEqual(["GET", "POST"]);
});
