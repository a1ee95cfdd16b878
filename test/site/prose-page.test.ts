import { expect, test } from "vitest";
import { prosePage } from "#site/prose-page.ts";

test("a FeatureCollection of a guide is drawn as a map, without its text", () => {
  const feature = (name: string, count: number, x: number): object => ({
    geometry: { type: "Point", coordinates: [x, 50] },
    properties: { name, count },
  });
  const features = [feature("North", 4, 0), feature("South", 1, 1)];
  const markdown = `# Places\n\n\`\`\`geojson\n${JSON.stringify({ features })}\n\`\`\`\n`;
  const { content } = prosePage({ path: "p", title: "Places", summary: "", markdown });
  expect(content.text).toMatch(/<figure><svg .*role="img"/);
  expect(content.text).toContain("<title>North 4, South 1</title>");
  expect(content.text.match(/<circle/g)).toHaveLength(2);
  expect(content.text).not.toContain("<pre");
});
