import { expect, test } from "vitest";
import { sent } from "../stub-platform.ts";

test("places are found by a name", async () => {
  expect(await sent("geo resolve Carlton")).toMatchObject({
    exitCode: 0,
    requests: [["geo.resolveLocation", {}, { query: "Carlton", limit: 10 }]],
    stdout:
      "NAME  KIND  IN    POSITION        DISTANCE  CONFIDENCE\nword  word  word  0.0000, 0.5000       1 m        1.00\n",
  });
});
