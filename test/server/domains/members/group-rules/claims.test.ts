import { expect, test } from "vitest";
import { groupClaims, omittedClaims } from "#server/domains/members/group-rules/claims.ts";

test("texts and lists of texts may name groups, also inside other claims", () => {
  const claims = {
    groups: ["a", "a", "b", 7, "", "x\0", "y".repeat(501)],
    team: "c",
    realm_access: { roles: ["d"], deep: { deeper: { deepest: ["e"] } } },
  };
  const found = new Map(groupClaims(claims).map(({ claim, values }) => [claim, values]));
  expect(found.get("groups")).toEqual(["a", "b"]);
  expect(found.get("team")).toEqual(["c"]);
  expect(found.get("realm_access.roles")).toEqual(["d"]);
  expect([...found.keys()].some((claim) => claim.includes("deepest"))).toBe(false);
});

test("the values of a token are bounded, and left-out claims are known", () => {
  const groups = Array.from({ length: 5_000 }, (_, index) => `g${index}`);
  expect(groupClaims({ groups })[0]?.values).toHaveLength(4_000);
  expect([...omittedClaims({ _claim_names: { groups: "src" } })]).toEqual(["groups"]);
  expect([...omittedClaims({ hasgroups: true })]).toEqual(["groups"]);
  expect(omittedClaims({ hasgroups: "yes" }).size).toBe(0);
});
