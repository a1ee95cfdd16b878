import { expect, test } from "vitest";
import { trailWords } from "#ui/shell/header.tsx";

test("the header drops outer names first", () => {
  const trail = ["northwind-council", "planning", "planning-application"];
  expect(trailWords(trail, 80)).toBe("northwind-council › planning › planning-application");
  expect(trailWords(trail, 40)).toBe("… › planning › planning-application");
  expect(trailWords(trail, 26)).toBe("… › planning-application");
  expect(trailWords(trail, 10)).toBe("planning-…");
});
