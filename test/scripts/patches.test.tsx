import Table from "ink-table";
import { render } from "ink-testing-library";
import { expect, test } from "vitest";

test("the patched table stands with Ink 8, and counts cells instead of characters", () => {
  const { lastFrame, unmount } = render(
    <Table
      data={[
        { name: "北京", pages: 2 },
        { name: "plan.pdf", pages: 14 },
      ]}
    />,
  );
  expect(lastFrame()?.split("\n")).toEqual([
    "┌──────────┬───────┐",
    "│ name     │ pages │",
    "├──────────┼───────┤",
    "│ 北京     │ 2     │",
    "├──────────┼───────┤",
    "│ plan.pdf │ 14    │",
    "└──────────┴───────┘",
  ]);
  unmount();
});
