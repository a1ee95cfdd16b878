export const pageText =
  "Planning statement for 18 Quay Street.\n\nThe roof is to be of natural slate. " +
  "The consultation period ends on 14 December 2026.\n\nNo trees are to be felled.";
export const quote = "The consultation period ends on 14 December 2026.";
export const foundPassage = {
  span: { start: pageText.indexOf(quote), end: pageText.indexOf(quote) + quote.length },
  text: quote,
  matches: [{ start: 4, end: 16 }],
  score: 3.25,
  scores: { fulltext: 3.25, vector: null },
};
const deadlineQuote = "14 December 2026";
const deadlineStart = pageText.indexOf(deadlineQuote);
/** A field below its threshold, and the words of the page that show it. */
export const deadline = {
  type: "date",
  value: "2026-12-14",
  confidence: 0.9,
  threshold: 0.95,
  page: 2,
  quote: deadlineQuote,
  span: { start: deadlineStart, end: deadlineStart + deadlineQuote.length },
};
