import { expect, test } from "vitest";
import { sent } from "../stub-platform.ts";

test("places are found at a point, longitude first", async () => {
  expect(await sent("geo reverse 144.96,-37.81")).toMatchObject({
    exitCode: 0,
    requests: [
      [
        "geo.resolveLocation",
        {},
        { point: { type: "Point", coordinates: [144.96, -37.81] }, limit: 5 },
      ],
    ],
    stdout:
      "NAME  KIND  IN    POSITION        DISTANCE  CONFIDENCE\nword  word  word  0.0000, 0.5000       1 m        1.00\n",
  });
});

test.each(["geo reverse 144.96", "geo reverse 999,0"])(
  "%s is refused before any request",
  async (words) => {
    expect(await sent(words)).toMatchObject({ exitCode: 2, requests: [] });
  },
);
