/** Words of a number in the languages whose questions are known; other numbers have digits. */
const numberWords =
  "no|none|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\\w+teen|\\w+ty|hundred|" +
  "keine?|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|" +
  "dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|deux|trois|quatre|cinq|sept|huit|neuf|dix|" +
  "iki|üç|dört|beş|altı|yedi|sekiz|dokuz|yirmi|yüz|" +
  "дв[ае]|двух|тр[иёе]х?|четыре|пять|шесть|семь|восемь|девять|десять|" +
  "اثنان|اثنين|ثلاثة?|أربعة?|خمسة?|ستة?|سبعة?|ثمانية?|تسعة?|عشرة?";
const month =
  "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mär|mai|okt|dez|ene|abr|ago|dic|" +
  "oca|şub|nis|haz|tem|ağu|eyl|eki|kas|ara|янв|фев|мар|апр|ма[йя]|июн|июл|авг|сен|окт|ноя|дек|" +
  "يناير|فبراير|مارس|أبريل|مايو|يونيو|يوليو|أغسطس|سبتمبر|أكتوبر|نوفمبر|ديسمبر";

/** The limits of a word in any script: `\b` knows Latin letters without accents only. */
const word = (words: string): string => `(?<![\\p{L}\\p{N}])(?:${words})(?![\\p{L}\\p{M}])`;
const asks = (words: string, unspaced: string): RegExp =>
  new RegExp(`${word(words)}|${unspaced}`, "iu");

const aDate = new RegExp(
  "\\d{4}-\\d\\d-\\d\\d|\\d{1,2}[:/.]\\d\\d|(?<!\\p{N})(?:1\\d|20)\\d\\d(?!\\p{N})|\\d\\s?[年月日]|" +
    `(?<!\\p{L})(?:${month})\\p{L}*|(?<!\\p{N})\\d+ (?:day|week|month|year)`,
  "iu",
);
const aNumber = new RegExp(`\\p{N}|${word(numberWords)}|[一二两三四五六七八九十百千万亿]`, "iu");

/** Questions by their words in the languages of `function-words.ts`, with what answers have. */
const kinds: readonly (readonly [question: RegExp, answer: RegExp])[] = [
  [
    asks(
      "when|(?:what|which) (?:date|day|time|year|month|century|decade)|how long|deadline|due|" +
        "wann|(?:welche[mns]?|welcher) (?:jahr|tag|datum|monat|jahrhundert)|wie lange|" +
        "cuándo|(?:qué|cuál) (?:año|día|fecha|mes|siglo)|quand|quelle (?:année|date)|quel jour|" +
        "quando|che anno|wanneer|welk jaar|när|vilket år|kiedy|którym roku|que ano|" +
        "когда|как(?:ом|ого|ой|ие) (?:году?|числа|дат[аы]|веке|месяце)|" +
        "ne zaman|hangi (?:yıl\\p{L}*|tarih\\p{L}*|gün\\p{L}*|ay\\p{L}*)|kaç yılında|" +
        "متى|أي (?:عام|سنة|تاريخ|يوم|شهر|قرن)",
      "何时|什么时候|何年|哪一?年|哪一?[天日]|几[年月日号]|いつ|何[年月日]",
    ),
    aDate,
  ],
  [
    /\b(?:how much|cost|fee|price|amount|charge)\b/i,
    /[£€$]\s?\d|\d\s?(?:GBP|EUR|USD|pounds|euros)/,
  ],
  [
    asks(
      "how (?:many|much|old|high|tall|large|big|far|wide|deep|fast)|number of|what percentage|" +
        "wie ?viele?|wie (?:hoch|alt|groß|weit|breit|tief|lang|schnell)|anzahl|" +
        "cuánt[oa]s?|qué (?:porcentaje|edad|cantidad|altura)|combien|quel (?:âge|nombre)|" +
        "quant[oiae]|quant[oa]s|hoeveel|hur (?:många|mycket|gammal|hög|lång)|ile|" +
        "сколько|скольк\\p{L}+|како(?:е|в|ва) (?:количество|число|возраст|процент|высота)|" +
        "kaç\\p{L}*|ne kadar|كم|ما (?:عدد|نسبة|عمر)",
      "多少|几[个名位次岁年种]|多[大高长远久]|いくつ|いくら|何[人歳個本回]",
    ),
    aNumber,
  ],
  [
    asks(
      "who|whom|whose|wer|wen|wem|wessen|quién|quiénes|qui|chi|quem|wie is|vem|kto|" +
        "кто|кого|кому|кем|чь[ейяё]|чей|kim|kimin|kime|kimi|kimdir|kimler",
      "(?!)",
    ),
    /\p{Lu}\p{Ll}+\s+\p{Lu}\p{Ll}+/u,
  ],
  [/\b(?:where|address)\b/i, /\b\d+\s+\p{Lu}|\b(?:street|road|lane|square|avenue|yard)\b/iu],
];

/** The pattern of an answer to this kind of question, or null. */
export function answerKind(question: string): RegExp | null {
  return kinds.find(([asked]) => asked.test(question))?.[1] ?? null;
}
