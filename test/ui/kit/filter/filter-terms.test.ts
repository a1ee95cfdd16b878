import { expect, test } from "vitest";
import { FilterProblem, termsOf } from "#ui/kit/filter/filter-terms.ts";

const short = (text: string): string[] =>
  termsOf(text).map(({ negated, name, operator, values }) => {
    const words = values.map(({ text, quoted }) => (quoted ? `"${text}"` : text)).join("|");
    return `${negated ? "not " : ""}${name ?? "*"} ${operator} ${words}`;
  });

test.each([
  ["status:open,closed", ["status : open|closed"]],
  ["-status:open wall", ["not status : open", "* : wall"]],
  ["size>=10 size:<20", ["size >= 10", "size < 20"]],
  [`name:"a \\"b\\"",'c d'`, [`name : "a "b""|"c d"`]],
  ["one, two", ["* : one", "* : two"]],
  ["site.street!=x", ["site.street != x"]],
  ["  ", []],
])("%s", (text, terms) => {
  expect(short(text)).toEqual(terms);
});

test.each([
  ['name:"open', "the closing quote is missing", { start: 5, end: 10 }],
  ["name:", "a value is missing", { start: 0, end: 5 }],
  ["name:a,", "a value is missing", { start: 0, end: 7 }],
  [",a", 'unexpected ","', { start: 0, end: 1 }],
])("the problem of %s has its place", (text, message, at) => {
  expect(() => termsOf(text)).toThrow(expect.objectContaining({ message, at }));
  expect(() => termsOf(text)).toThrow(FilterProblem);
});
