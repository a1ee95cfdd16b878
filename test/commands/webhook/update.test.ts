import { expect, test } from "vitest";
import { id, sent } from "../stub-platform.ts";

test("only the given settings change", async () => {
  expect(await sent(`webhook update ${id} --url https://a.example.org/x --disable`)).toMatchObject({
    exitCode: 0,
    requests: [
      ["webhooks.update", { endpointId: id }, { url: "https://a.example.org/x", enabled: false }],
    ],
    stdout: expect.stringContaining(
      "id              0198f0a0-2222-7000-8000-000000000002\nurl             word",
    ),
  });
  expect(await sent(`webhook update ${id} --where {"a":1}`)).toMatchObject({
    exitCode: 0,
    requests: [["webhooks.update", { endpointId: id }, { where: { a: 1 } }]],
    stdout: expect.stringContaining(
      "id              0198f0a0-2222-7000-8000-000000000002\nurl             word",
    ),
  });
});

test.each([`webhook update ${id}`, `webhook update ${id} --where 7`])(
  "%s is refused before any request",
  async (words) => {
    expect(await sent(words)).toMatchObject({ exitCode: 2, requests: [] });
  },
);
