import { expect, test } from "vitest";
import { withEach } from "#client/answer/batch-answer.ts";

const results = [
  { index: 0, status: 200 },
  { index: 1, status: 404 },
];

test("an answer with one outcome for each item stays as it is", () => {
  const answer = { results, succeeded: 1, failed: 1 };
  expect(withEach(answer, 2)).toBe(answer);
});

test("an answer that reports only the number of items gets an outcome for each", () => {
  // An answer as JSON is what was sent, without the members that the client has added.
  const sent = { toJSON: () => ({ succeeded: 2 }) };
  expect(withEach({ ...sent, results: [], succeeded: 2, failed: 0 }, 2)).toMatchObject({
    results: [
      { index: 0, status: 200 },
      { index: 1, status: 200 },
    ],
    succeeded: 2,
    failed: 0,
  });
});

test.each([
  [{ results, succeeded: 1, failed: 1 }, 3, "the response has no outcome of item 2, of 3 items"],
  [
    { results: [...results, { index: 1, status: 200 }], succeeded: 2, failed: 1 },
    2,
    "the response has 3 outcomes of 2 items",
  ],
  [{ results: [], succeeded: 0, failed: 1 }, 1, "the response has no outcome of item 0, of 1 item"],
])("%j for %i items is refused", (answer, count, details) => {
  expect(() => withEach(answer, count)).toThrow(details);
});
