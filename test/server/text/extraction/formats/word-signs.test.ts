import { expect, test } from "vitest";
import { extract, makeDocx } from "./build-files.ts";

const textOf = async (run: string): Promise<string> => {
  const bytes = makeDocx(
    `<w:p><w:r><w:t>(</w:t></w:r><w:r>${run}</w:r><w:r><w:t>)</w:t></w:r></w:p>`,
  );
  return (await extract(bytes, { filename: "form.docx" })).pages.map(({ text }) => text).join("");
};

const field = (data: string): string =>
  `<w:fldChar w:fldCharType="begin"><w:ffData>${data}</w:ffData></w:fldChar>`;
const box = (state: string): string => field(`<w:checkBox><w:sizeAuto/>${state}</w:checkBox>`);
const entries = '<w:listEntry w:val="Yes"/><w:listEntry w:val="No"/>';

test.each([
  ["a box that is empty", box('<w:default w:val="0"/>'), "(☐)"],
  ["a box without a state", box(""), "(☐)"],
  ["a box that the template checks", box("<w:default/>"), "(☒)"],
  ["a box that was checked", box('<w:default w:val="0"/><w:checked/>'), "(☒)"],
  ["a box that was emptied", box('<w:default w:val="1"/><w:checked w:val="false"/>'), "(☐)"],
  ["a list", field(`<w:ddList><w:result w:val="1"/>${entries}</w:ddList>`), "(No)"],
  ["a list as the template has it", field(`<w:ddList>${entries}</w:ddList>`), "(Yes)"],
  ["a list without that entry", field(`<w:ddList><w:result w:val="7"/></w:ddList>`), "()"],
])("the choice of a form field: %s", async (_, run, text) => {
  expect(await textOf(run)).toBe(text);
});

test.each([
  ["Symbol", "F061", "α"],
  ["Symbol", "F0B3", "≥"],
  ["Symbol", "B1", "±"],
  ["Wingdings", "F0FE", "☑"],
  ["Wingdings", "F0A8", "☐"],
  ["Wingdings 2", "F052", "☑"],
  ["Times New Roman", "20AC", "€"],
  ["A font of signs", "F041", ""],
  ["Symbol", "none", ""],
])("a symbol of %s with the code %s", async (font, code, text) => {
  expect(await textOf(`<w:sym w:font="${font}" w:char="${code}"/>`)).toBe(`(${text})`);
});

test.each([
  ["Symbol", "\uf061b\uf0d7", "αb⋅"],
  ["Wingdings", "\uf0fe\uf020", "☑"],
  ["Arial", "\uf061", "\uf061"],
])("text in the font %s", async (font, text, shown) => {
  const fonts = (name: string): string => `<w:rPr><w:rFonts w:ascii="${name}"/></w:rPr>`;
  expect(await textOf(`${fonts(font)}<w:t>${text}</w:t>`)).toBe(`(${shown})`);
});
