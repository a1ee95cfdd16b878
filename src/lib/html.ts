/** Text that may stand in a page as it is: what `html` has made, or our own constants. */
export class Html {
  constructor(readonly text: string) {}
}

/** A page's text: every value is escaped unless it is `Html` itself. */
export function html(strings: TemplateStringsArray, ...values: readonly (Html | string)[]): Html {
  let text = strings[0] ?? "";
  values.forEach((value, index) => {
    text += value instanceof Html ? value.text : escaped(value);
    text += strings[index + 1] ?? "";
  });
  return new Html(text);
}

export const noHtml = new Html("");

function escaped(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}
