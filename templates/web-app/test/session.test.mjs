import assert from "node:assert/strict";
import { test } from "node:test";
import { challengeOf, checkedCode } from "../src/app/session.ts";

const issuer = "https://login.example";
const answer = (text) => new URLSearchParams(text);

test("the challenge is that of RFC 7636, appendix B", async () => {
  const verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
  assert.equal(await challengeOf(verifier), "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM");
});

test("only the sign-in that began in this tab is finished", () => {
  const attempt = { state: "s" };
  assert.equal(checkedCode(answer("state=s&code=c"), attempt, issuer), "c");
  assert.throws(() => checkedCode(answer("state=other&code=c"), attempt, issuer));
  assert.throws(() => checkedCode(answer("state=s&code=c"), undefined, issuer));
  assert.throws(() => checkedCode(answer("state=s&code=c&iss=https://evil.test"), attempt, issuer));
  assert.throws(
    () => checkedCode(answer("state=s&error=access_denied"), attempt, issuer),
    /denied/,
  );
});
