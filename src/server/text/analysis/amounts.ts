/** An amount as it is written in one of the usual local forms. */
export interface Amount {
  readonly value: number;
  /** The separator of `1.234` may divide thousands or decimals. */
  readonly isAmbiguous: boolean;
}

/** Ordinary, no-break, thin and narrow no-break spaces. */
const space = "[ \\u00a0\\u2009\\u202f]";

/** Forms in which the separators say which one divides the decimals. */
const clearForms = [
  // 1,234.56 and the Indian 12,34,567.50
  /^(?:\d{1,3}(?:,\d{3})+|\d{1,2}(?:,\d{2})+,\d{3})(?:\.\d{1,6})?$/,
  // Continental forms: 1.234,56 and 1.234.567
  /^\d{1,3}(?:\.\d{3})+,\d{1,6}$|^\d{1,3}(?:\.\d{3}){2,}$/,
  // 1 234,56 and the Swiss 1'234.56
  /^\d{1,3}(?:[ ']\d{3})+(?:[.,]\d{1,6})?$/,
  // Forms without groups: 1234.56 and 1234,56
  /^\d{1,15}(?:[.,]\d{1,6})?$/,
];
const ambiguousForm = /^[1-9]\d{0,2}\.\d{3}$/;

/**
 * Reads an amount without its currency: `1,234.56`, `1.234,56`, `1 234,56`, `1'234.56`, `12,-`,
 * `-5`, `5-` or `(5)`. `1.234` is more than a thousand as money, and else a decimal number.
 * Undefined for any other text.
 */
export function readAmount(written: string, { isMoney }: { isMoney: boolean }): Amount | undefined {
  const signed = /^([(\u2212-]?)(.*?)([)\u2212-]?)$/.exec(written.trim());
  const [, before = "", inner = "", after = ""] = signed ?? [];
  // A dash after the separator is in the place of no decimals.
  const isWhole = /[.,][-\u2013\u2014\u2212]{0,2}$/.test(inner) && after !== ")";
  const isNegative = (before !== "" || after !== "") && !(isWhole && before === "");
  const digits = (isWhole ? inner.replace(/[.,][-\u2013\u2014\u2212]*$/, "") : inner)
    .trim()
    .replaceAll(new RegExp(space, "g"), " ")
    .replaceAll("\u2019", "'");
  const isPointed = ambiguousForm.test(digits);
  const isAmbiguous = isPointed && !isWhole;
  const found = isPointed || clearForms.some((form) => form.test(digits));
  if (!found || (before === "(") !== (after === ")")) return undefined;
  const plain = isPointed && (isMoney || isWhole) ? digits.replace(".", "") : withPoint(digits);
  return { value: isNegative ? -Number(plain) : Number(plain), isAmbiguous };
}

/** The digits with a point before the decimals and without other separators. */
function withPoint(digits: string): string {
  const isGrouped = /^\d{1,3}(?:,\d{2,3})*,\d{3}$|^\d{1,3}(?:\.\d{3}){2,}$/.test(digits);
  const at = isGrouped ? -1 : Math.max(digits.lastIndexOf("."), digits.lastIndexOf(","));
  const whole = at < 0 ? digits : digits.slice(0, at);
  const decimals = at < 0 ? "" : `.${digits.slice(at + 1)}`;
  return `${whole.replaceAll(/\D/g, "")}${decimals}`;
}

const decimals = "\\d{1,2}|[-\\u2013\\u2014]{1,2}";

/** The source of a pattern of amounts in running text, with all usual separators. */
export const amountInText =
  `\\d{1,3}(?:,\\d{3})+(?:\\.(?:${decimals}))?|\\d{1,2}(?:,\\d{2})+,\\d{3}(?:\\.\\d{1,2})?|` +
  `\\d{1,3}(?:\\.\\d{3})+(?:,(?:${decimals}))?|` +
  `\\d{1,3}(?:(?:${space}|['\\u2019])\\d{3})+(?:[.,](?:${decimals}))?|` +
  `\\d{1,12}(?:[.,](?:${decimals}))?`;

const currencies: Readonly<Record<string, string>> = {
  "£": "GBP",
  "€": "EUR",
  $: "USD",
  us$: "USD",
  "¥": "JPY",
  "₹": "INR",
  "₺": "TRY",
  "₽": "RUB",
  tl: "TRY",
  zł: "PLN",
  kč: "CZK",
  pounds: "GBP",
  euro: "EUR",
  euros: "EUR",
  dollars: "USD",
};

export const currencyCodes = [
  ..."AUD BGN BRL CAD CHF CNY CZK DKK EUR GBP HKD HUF INR JPY MXN NOK NZD".split(" "),
  ..."PLN RON RUB SEK SGD TRY UAH USD ZAR".split(" "),
];

/** The code of a currency by its sign, its name or its code in any case. */
export function currencyOf(sign: string): string {
  return currencies[sign.toLowerCase()] ?? sign.toUpperCase();
}

/** The code of a currency that is written before or after an amount; undefined for other texts. */
export function knownCurrency(sign: string): string | undefined {
  return currencies[sign.toLowerCase()] ?? (/^[A-Z]{3}$/.test(sign) ? sign : undefined);
}
