import { expect, test } from "vitest";
import { findWords } from "#server/text/terms/find-words.ts";
import { languagesOf } from "#server/text/terms/languages.ts";

test.each([
  ["da", "Bygningen skal ikke opføres før der er givet tilladelse af kommunen, og det er vigtigt."],
  ["de", "Der Bauantrag wurde im Mai abgelehnt, weil die Zufahrt nicht breit genug ist."],
  ["en", "The application was refused because the access is too narrow for the lorries."],
  ["es", "La solicitud fue rechazada porque el acceso no es lo suficientemente ancho."],
  ["fi", "Hakemus hylättiin, koska tie ei ole tarpeeksi leveä ja se on myös vaarallinen."],
  ["fr", "La demande a été refusée parce que l'accès n'est pas assez large pour les camions."],
  ["hu", "A kérelmet elutasították, mert az út nem elég széles, és ez is veszélyes."],
  ["it", "La domanda è stata respinta perché l'accesso non è abbastanza largo per i camion."],
  ["nl", "De aanvraag is geweigerd omdat de toegang niet breed genoeg is voor het verkeer."],
  ["pl", "Wniosek został odrzucony, ponieważ droga nie jest dość szeroka i to jest ważne."],
  ["pt", "O pedido foi recusado porque o acesso não é suficientemente largo para os camiões."],
  ["ro", "Cererea a fost respinsă pentru că drumul nu este destul de larg și este periculos."],
  ["sv", "Ansökan avslogs eftersom vägen inte är tillräckligt bred och det är farligt för barn."],
  ["tr", "Başvuru reddedildi çünkü yol yeterince geniş değil ve bu çocuklar için tehlikeli."],
])("the language of a sentence is %s", (language, sentence) => {
  expect(languagesOf(findWords(sentence))).toEqual({ languages: [language], isSure: true });
});

test.each([
  ["Neue Wohnungen am Hafen", "de"],
  ["Quay Street", "en"],
  ["Instalaciones deportivas", "es"],
  ["1741", "en"],
])("%s may be %s, and is not sure", (text, language) => {
  const found = languagesOf(findWords(text));
  expect(found.languages).toContain(language);
  expect(found.languages.length).toBeLessThanOrEqual(2);
  expect(found.isSure).toBe(false);
});
