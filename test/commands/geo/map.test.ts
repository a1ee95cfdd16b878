import { expect, test } from "vitest";
import { sent } from "../stub-platform.ts";

const answers = {
  "resources.list": {
    items: [
      {
        id: "r1",
        type: "site",
        version: 1,
        data: { place: { type: "Point", coordinates: [13.4, 52.5] } },
      },
    ],
    hasNextPage: false,
  },
};

test("the places of records are drawn, with their number and bounds", async () => {
  const { exitCode, stdout, requests } = await sent("geo map site", { answers });
  expect(exitCode).toBe(0);
  expect(requests[0]?.[0]).toBe("resources.list");
  expect(stdout).toContain("1 point of 1 record, from 52.49N 13.37E");
});
