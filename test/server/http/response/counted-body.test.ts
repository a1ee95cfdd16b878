import { expect, test } from "vitest";
import { countedBody } from "#server/http/response/counted-body.ts";
import { AnswerBudget } from "#server/kit/answer-budget.ts";

const mebibyte = 1024 * 1024;

test("a large body lets other requests run while a fast client takes it", async () => {
  const budget = new AnswerBudget(64 * mebibyte);
  const parts = [`[${"x".repeat(5 * mebibyte)}`, `${"é🌳".repeat(mebibyte)}]`];
  const body = countedBody(parts, budget, "workspace");
  let ticks = 0;
  let isRead = false;
  const tick = (): void => {
    ticks += 1;
    if (!isRead) setImmediate(tick);
  };
  setImmediate(tick);
  const text = await new Response(body).text();
  isRead = true;
  expect(text === parts.join("")).toBe(true);
  expect(ticks).toBeGreaterThanOrEqual(15);
  expect(budget.bytes).toBe(0);
});
