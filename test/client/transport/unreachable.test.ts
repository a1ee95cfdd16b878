import { expect, test } from "vitest";
import { abandonedOutcome, unknownOutcome, unreachable } from "#client/transport/unreachable.ts";

const record = "/v4/data/resources/{tenantId}/{objectType}/{id}";
const put = {
  method: "PUT",
  route: record,
  url: "https://a.test/base/v4/data/resources/t1/site/a%20b",
  asks: false,
} as never;

test("the hint of an unknown outcome names the command that shows it", () => {
  expect(unknownOutcome(put)).toBe(
    "The outcome is unknown: look before you send it again: `svc resources get site 'a b'`",
  );
  expect(unknownOutcome({ ...(put as object), method: "PATCH" } as never)).toBe(
    "The outcome is unknown: look before you send it again",
  );
  expect(unknownOutcome({ ...(put as object), asks: true } as never)).toBe(undefined);
});

test("a stream that was cut short was not accepted", () => {
  const cut = { ...(put as object), body: { allSent: false } } as never;
  expect(abandonedOutcome(cut)).toBe(undefined);
  expect(unreachable("https://a.test", "the line is down", cut).hint).toBe(
    "The line is down. The request broke off before its end and was not accepted",
  );
  expect(unreachable("https://a.test", "the line is down")).toMatchObject({
    code: "E201",
    hint: "The line is down",
  });
});
