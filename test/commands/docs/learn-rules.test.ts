import { expect, test } from "vitest";
import { sent } from "../stub-platform.ts";

const rules = [{ method: "label-value", labels: ["Date"] }];
const found = { documentId: "DOC-1", value: "2026-05-03", quote: "3 May 2026", page: 1 };
const answers = {
  "documentTypes.learnRules": { rules, examples: [{ ...found, confidence: 0.92 }] },
};

test("the rules of marked values are printed with what they find", async () => {
  const words = ["docs", "learn-rules", "--type", "date", "--example", "DOC-1=3 May=2026"];
  const { requests, stdout, exitCode } = await sent(words, { answers });
  const examples = [{ documentId: "DOC-1", value: "3 May=2026" }];
  expect(requests).toContainEqual(["documentTypes.learnRules", {}, { type: "date", examples }]);
  expect(stdout).toContain(JSON.stringify(rules[0]));
  expect(stdout).toContain("3 May 2026");
  expect(exitCode).toBe(0);
});

test("an example without a value is refused before any request", async () => {
  for (const example of ["DOC-1", "DOC-1=", "=x"]) {
    const words = ["docs", "learn-rules", "--example", example];
    expect(await sent(words)).toMatchObject({ exitCode: 2, requests: [] });
  }
});
