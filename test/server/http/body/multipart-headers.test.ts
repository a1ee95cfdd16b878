import { describe, expect, test } from "vitest";
import { form, send, collect } from "./sent-forms.ts";

describe("file names are data", () => {
  const name = async (header: string): Promise<unknown> => {
    const headers = [`Content-Disposition: form-data; name="files"; ${header}`];
    const [part] = await collect(send(form([{ headers, body: "" }])).request);
    return Array.isArray(part) ? part[1] : part;
  };

  test.each([
    ['filename="../../etc/passwd"', "../../etc/passwd"],
    ['filename="C:\\fakepath\\plan.pdf"', "C:\\fakepath\\plan.pdf"],
    ['filename="a \\"quoted\\" \\\\ name"', 'a "quoted" \\ name'],
    ['filename="a %22quoted%22%0D%0Aname 100%"', 'a "quoted"\r\nname 100%'],
    ['filename="naïve – 計画.pdf"', "naïve – 計画.pdf"],
    ["filename=plain.txt", "plain.txt"],
    ['filename="x; name=y.pdf"', "x; name=y.pdf"],
    [`filename="fallback"; filename*=UTF-8''na%C3%AFve%20%22.pdf`, 'naïve ".pdf'],
    [`filename="fallback"; filename*=UTF-8''%ff`, "fallback"],
  ])("%s is %j", async (header, expected) => {
    expect(await name(header)).toBe(expected);
  });

  test.each([
    ['filename=""', "has no file name"],
    [`filename="${"é".repeat(513)}"`, "has a file name longer than 1024 bytes"],
    [`filename*=UTF-8''a%00b`, "has a NUL character in its file name"],
  ])("%s is refused", async (header, detail) => {
    const headers = [`Content-Disposition: form-data; name="files"; ${header}`];
    const failure = await collect(send(form([{ headers, body: "" }])).request).catch((e) => e);
    expect(failure).toMatchObject({
      code: "validation-failed",
      options: { errors: [{ pointer: "#/files", detail }] },
    });
  });
});
