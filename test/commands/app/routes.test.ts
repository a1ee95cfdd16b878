import { expect, test } from "vitest";
import { sent } from "../stub-platform.ts";

test("the routes of a product are listed", async () => {
  expect(await sent("app routes planning")).toMatchObject({
    exitCode: 0,
    requests: [["verticals.show", { product: "planning" }]],
    stdout: "METHOD  PATH  USES  SUMMARY\nword    word  word  word\n",
  });
});
