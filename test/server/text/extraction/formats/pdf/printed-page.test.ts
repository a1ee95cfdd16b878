import { expect, test } from "vitest";
import { withoutMarks } from "#server/text/tables/table-marks.ts";
import { launchChromium, missingChromium } from "#test/support/chromium.ts";
import { describeNeeding } from "#test/support/needs.ts";
import { extract } from "../build-files.ts";

const page = `<html lang="en"><head><style>
  .side { transform: rotate(-90deg); position: absolute; left: -40px; top: 500px }
  .stamp { transform: rotate(30deg); position: absolute; left: 300px; top: 600px }
  .columns { display: flex; flex-direction: row-reverse; gap: 30px } .columns div { flex: 1 }
  </style></head><body>
  <h1>Site report</h1><p>The applicant wants to build a wall next to the harbour road.</p>
  <p class="side">Draft of the council</p><p class="stamp">Received in March</p>
  <div class="columns">
    <div><p>The limit at night is 42 decibels at the nearest window of a dwelling.</p></div>
    <div><p>The report expects 38 decibels when both fans of the plant run.</p></div></div>
  <table><tr><th>Item</th><th>Amount</th></tr><tr><td>Survey</td><td>120.00</td></tr>
    <tr><td>Sound test of the fans</td><td>80.50</td></tr></table></body></html>`;

describeNeeding("a PDF that a browser has printed", missingChromium, () => {
  test("is read in the order of its structure, with its tables and turned texts", async () => {
    const browser = await launchChromium();
    try {
      const view = await browser.newPage();
      await view.setContent(page);
      const pdf = await view.pdf({ format: "A4", tagged: true, outline: true });
      const document = await extract(pdf, { filename: "printed.pdf" });
      expect(document.pages.map(({ text }) => withoutMarks(text))).toEqual([
        [
          "Site report",
          "The applicant wants to build a wall next to the harbour road.",
          "The limit at night is 42 decibels at the nearest window of a dwelling.",
          "The report expects 38 decibels when both fans of the plant run.",
          "Item\tAmount\nSurvey\t120.00\nSound test of the fans\t80.50",
          "Draft of the council",
          "Received in March",
        ].join("\n\n"),
      ]);
      const [printed] = document.pages;
      const cells = printed?.tables?.map(({ rows }) =>
        rows.map((row) => row.map((span) => printed.text.slice(...(span ?? [0, 0])))),
      );
      expect(cells).toEqual([
        [
          ["Item", "Amount"],
          ["Survey", "120.00"],
          ["Sound test of the fans", "80.50"],
        ],
      ]);
    } finally {
      await browser.close();
    }
  });
});
