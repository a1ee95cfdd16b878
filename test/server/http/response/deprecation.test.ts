import { expect, test } from "vitest";
import { Refusal } from "#contract/problems.ts";
import { getNote, running } from "../one-route.ts";

const deprecated = { since: "2026-12-01", sunset: "2027-12-01", successor: "/v4/memos" } as const;
const fields = {
  deprecation: "@1796083200",
  sunset: "Wed, 01 Dec 2027 00:00:00 GMT",
  link: '</docs/versions>; rel="deprecation"; type="text/html", </v4/memos>; rel="successor-version"',
};

test("each answer of a deprecated route says since when, until when and what replaces it", async () => {
  const { send } = running({ ...getNote, deprecated }, () => ({ text: "a" }));
  expect(Object.fromEntries((await send()).headers)).toMatchObject(fields);
  const refusing = running({ ...getNote, deprecated }, () => {
    throw new Refusal("not-found", { detail: "gone" });
  });
  const refused = await refusing.send();
  expect(refused.status).toBe(404);
  expect(Object.fromEntries(refused.headers)).toMatchObject(fields);
});

test("other routes have none of these fields", async () => {
  const { headers } = await running(getNote, () => ({ text: "a" })).send();
  for (const name of Object.keys(fields)) expect(headers.has(name)).toBe(false);
});
