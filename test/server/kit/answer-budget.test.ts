import { expect, test } from "vitest";
import { countedBody } from "#server/http/response/counted-body.ts";
import { AnswerBudget } from "#server/kit/answer-budget.ts";
import { OverloadedError } from "#server/kit/storage-errors.ts";

test("answers that need too much together are refused, one alone never is", async () => {
  const budget = new AnswerBudget(100);
  const first = Promise.withResolvers<void>();
  const alone = budget.during("", async (hold) => {
    hold.need(500);
    hold.need(90);
    await first.promise;
    return "built";
  });
  const refused = budget.during("", async (hold) => hold.need(11));
  await expect(refused).rejects.toThrow(OverloadedError);
  await budget.during("", async (hold) => hold.need(10));
  expect(budget.bytes).toBe(90);
  first.resolve();
  expect(await alone).toBe("built");
  expect(budget.bytes).toBe(0);
});

test("a large body counts until it is taken or left", async () => {
  const budget = new AnswerBudget(1_000_000);
  expect(countedBody(["sho", "rt"], budget, "")).toBe("short");
  const text = "é".repeat(300_000);
  const taken = new Response(countedBody([text], budget, ""));
  const left = new Response(countedBody([text], budget, ""));
  expect(budget.bytes).toBe(1_200_000);
  await expect(budget.during("", async (hold) => hold.need(1))).rejects.toThrow(OverloadedError);
  expect(await taken.text()).toBe(text);
  expect(budget.bytes).toBe(600_000);
  await left.body?.cancel();
  expect(budget.bytes).toBe(0);
});

test("a large body in parts is their text, with whole characters in each piece", async () => {
  const budget = new AnswerBudget(1_000_000);
  const parts = ["[", `${"a".repeat(65_535)}${"🜨".repeat(70_000)}`, "é".repeat(65_536), "]"];
  expect(await new Response(countedBody(parts, budget, "")).text()).toBe(parts.join(""));
  expect(budget.bytes).toBe(0);
});

test("the answers of one workspace leave three quarters to others", async () => {
  const budget = new AnswerBudget(100);
  const first = Promise.withResolvers<void>();
  const building = budget.during("hostile", async (hold) => {
    hold.need(20);
    await first.promise;
  });
  const need = (share: string, bytes: number) =>
    budget.during(share, async (hold) => hold.need(bytes));
  await expect(need("hostile", 6)).rejects.toThrow(OverloadedError);
  await need("hostile", 5);
  await need("other", 25);
  first.resolve();
  await building;
  await need("hostile", 25);
});

test("pages that are likely to be large are built in turn, others at once", async () => {
  const budget = new AnswerBudget(1_000_000);
  const waiting = new Set(["small", "large"]);
  const turn = async (list: string) => {
    await budget.turn("", budget.sizesOf(list), 100, 8 * 1024 * 1024);
    waiting.delete(list);
  };
  budget.sizesOf("small").notePage(100, 100 * 1_000);
  budget.sizesOf("large").notePage(8, 8 * 900_000);
  await budget.turn("", budget.sizesOf("never read"), 100, 8 * 1024 * 1024);
  await budget.turn("", budget.sizesOf("large"), 100, 8 * 1024 * 1024);
  const later = turn("large");
  await turn("small");
  expect([...waiting]).toEqual(["large"]);
  await later;
  expect([...waiting]).toEqual([]);
});
