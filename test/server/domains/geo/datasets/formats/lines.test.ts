import { expect, test } from "vitest";
import { lineFeatures } from "#server/domains/geo/datasets/formats/lines.ts";
import { allOf, chunked } from "./chunked.ts";

const line = (id: string) =>
  JSON.stringify({ type: "Feature", id, geometry: null, properties: {} });

test.each([1, 16, 10_000])("lines are read in chunks of %i bytes", async (size) => {
  const text = `${line("a")}\r\n\n\u001E${line("b")}\n{"type":\n${line("ø")}`;
  const features = await allOf(lineFeatures(chunked(text, size), {}));
  expect(features).toMatchObject([{ id: "a" }, { id: "b" }, { fault: "is not JSON" }, { id: "ø" }]);
});

test.each([1, 2, 50])("a byte order mark is left out, in chunks of %i bytes", async (size) => {
  const features = await allOf(lineFeatures(chunked(`\uFEFF${line("a")}\n${line("b")}`, size), {}));
  expect(features).toMatchObject([{ id: "a" }, { id: "b" }]);
});

test("texts between record separators may have several lines", async () => {
  const text = ["a", "b"].map((id) => `\u001E${JSON.stringify(JSON.parse(line(id)), null, 2)}\n`);
  const features = await allOf(lineFeatures(chunked(text.join(""), 9), {}));
  expect(features).toMatchObject([{ id: "a" }, { id: "b" }]);
});
