import { expect, test } from "vitest";
import { metricText } from "#server/domains/metrics/metric-text.ts";

test("metrics are text with escaped values, and those without series are left out", () => {
  const text = metricText([
    {
      name: "a_total",
      help: "One\nof \\ two",
      type: "counter",
      series: [{ labels: { name: 'say "x\\y"\nz', none: undefined }, value: 3 }, { value: 0.5 }],
    },
    { name: "empty", help: "Nothing.", type: "gauge", series: [] },
  ]);
  expect(text).toBe(
    [
      String.raw`# HELP a_total One\nof \\ two`,
      "# TYPE a_total counter",
      String.raw`a_total{name="say \"x\\y\"\nz"} 3`,
      "a_total 0.5",
      "",
    ].join("\n"),
  );
});
