/** Text that needs no escaping: a result of `html`, or a constant of ours. */
export class Html {
  constructor(readonly text: string) {}
}

/** Builds a page's text: every value is escaped unless it is `Html`. */
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
