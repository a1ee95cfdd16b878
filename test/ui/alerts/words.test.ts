import { expect, test } from "vitest";
import { alertLines, recipientWords, ruleLines, ruleState, ruleSubject } from "#ui/alerts/words.ts";
import type { StyledLine } from "#ui/kit/text/styled-lines.ts";

const area = { width: 60, nowMs: Date.parse("2026-01-02T00:00:00Z") };
const text = (lines: readonly StyledLine[]): string =>
  lines.map((line) => line.map((span) => span.text).join("")).join("\n");

test.each([
  [{ role: "tenant-staff" }, "staff"],
  [{ userId: "u1" }, "Ada"],
  [{ userId: "u2" }, "u2"],
  [{}, ""],
])("the recipients of %j are %j", (recipient, words) => {
  expect(recipientWords(recipient, (id) => (id === "u1" ? "Ada" : undefined))).toBe(words);
});

test.each([
  [{ id: "r", kind: "event" }, "every event", "active"],
  [{ id: "r", kinds: ["record"], types: ["site"], enabled: false }, "record · site", "muted"],
  [
    { id: "r", property: "due", days: 3, enabled: false, disabledReason: "filter" },
    "due · 3 days before",
    "its type or property is gone",
  ],
  [{ id: "r", percent: 80 }, "from 80 %", "active"],
])("the rule %j watches %s", (rule, subject, state) => {
  expect(ruleSubject(rule as never)).toBe(subject);
  expect(ruleState(rule as never)).toBe(state);
});

test("an alert shows its message, its cause and the person who acknowledged it", () => {
  const alert = {
    id: "a1",
    message: "Overdue",
    status: "acknowledged",
    acknowledgedAt: "2026-01-01T00:00:00Z",
    acknowledgedBy: "u1",
    objectType: "site",
    subject: "S-1",
    about: { due: "2026" },
  };
  const shown = text(alertLines(alert as never, area, () => "Ada"));
  expect(shown).toMatch(/^Overdue\n/);
  expect(shown).toContain("site/S-1");
  expect(shown).toMatch(/acknowledged +.*2026-01-01T00:00:00Z by Ada/);
  expect(shown).toContain('"due"');
});

test("the lines of a rule depend on its kind", () => {
  const rule = { id: "r", kind: "event", where: { a: 1 } };
  const shown = text(ruleLines(rule as never, area));
  expect(shown).toMatch(/kinds +all/);
  expect(shown).toContain('{"a":1}');
  expect(text(ruleLines({ id: "r", kind: "date", days: 3 } as never, area))).not.toContain("kinds");
});
