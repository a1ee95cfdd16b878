import { expect, test } from "vitest";
import { unstored } from "#server/domains/chat/platforms/written-answer.ts";

test("only the events that are not stored yet are taken, with their place", () => {
  const written = (events: readonly number[] | undefined, stored: number) => ({
    key: { workspaceId: "w" },
    messageId: "m",
    answer: events && { events },
    stored,
    isFollowed: false,
  });
  const all = [written([1, 2, 3], 1), written([1], 1), written(undefined, 0)] as never;
  expect(unstored(all)).toEqual([{ workspaceId: "w", messageId: "m", place: 1, events: [2, 3] }]);
});
