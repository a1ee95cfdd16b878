/** Articles, with a conjunction or preposition before them. */
const articles = ["وال", "بال", "كال", "فال", "ال", "لل"];
const endings = ["ها", "ان", "ات", "ون", "ين", "يه", "ه", "ي"];
const leastLetters = { afterAnd: 3, afterArticle: 2, beforeEnding: 2 };

/**
 * The light stem of an Arabic word (Larkey, Ballesteros and Connell, 2002): without "and", an
 * article, endings, tatweel and marks, and with one spelling of alef, ya and ta marbuta.
 */
export function lightArabicStem(word: string): string {
  let stem = word
    .normalize("NFKD")
    .replaceAll(/[\p{M}\u0640]/gu, "")
    .replaceAll("ى", "ي")
    .replaceAll("ة", "ه");
  if (stem.startsWith("و") && stem.length > leastLetters.afterAnd) {
    const article = articles.some((each) => each.startsWith("و") && stem.startsWith(each));
    if (!article) stem = stem.slice(1);
  }
  const found = articles.find(
    (each) => stem.startsWith(each) && stem.length - each.length >= leastLetters.afterArticle,
  );
  if (found !== undefined) stem = stem.slice(found.length);
  for (const ending of endings) {
    if (stem.endsWith(ending) && stem.length - ending.length >= leastLetters.beforeEnding) {
      stem = stem.slice(0, -ending.length);
    }
  }
  return stem;
}
