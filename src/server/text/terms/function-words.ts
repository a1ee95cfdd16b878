import { unaccented } from "./terms.ts";

/** Words of questions that carry no subject, by language; English ones are stop words. */
const functionWords = {
  ar:
    "ما ماذا من متى أين كيف كم هل لماذا أي في على إلى عن مع هو هي كان كانت الذي التي هذا " +
    "هذه أن إن قد تم لم لا بين بعد قبل لمن ممن بماذا بأي لأي أية عم فيم كانوا الذين تكون يكون",
  de:
    "wer was wann wo wie warum wieso welche welcher welches welchen welchem wen wem " +
    "wessen wieviel wohin woher ist sind war waren wird werden wurde wurden hat haben " +
    "hatte hatten kann können muss müssen soll sollen darf dürfen der die das den dem des " +
    "ein eine einen einem einer eines und oder aber nicht kein keine in im an am auf aus " +
    "bei beim mit nach von vom vor zu zum zur für über unter durch gegen um als wenn dass " +
    "ob es er sie wir ihr man sich hoch viel viele lange es gibt weshalb weswegen wozu worum " +
    "wovon wofür wodurch woran worin womit worauf woraus wonach wobei inwiefern heißt heißen hieß hießen",
  es:
    "quién quiénes qué cuándo dónde cómo por cuál cuáles cuánto cuánta cuántos cuántas es " +
    "son era eran fue fueron ser ha han había hay puede pueden debe deben el la los las " +
    "un una unos unas y o pero no en de del al a con para sin sobre entre desde hasta que " +
    "se su sus lo le",
  fr:
    "qui que quoi quand où comment pourquoi quel quelle quels quelles combien est sont " +
    "était étaient fut être a ont avait avaient peut peuvent doit doivent le la les l un " +
    "une des du de d et ou mais ne pas en dans sur sous avec pour par sans entre au aux " +
    "ce cette ces se sa son ses il elle on ils elles y",
  it:
    "chi che cosa quando dove come perché quale quali quanto quanta quanti quante è sono " +
    "era erano fu essere ha hanno aveva può possono deve devono il lo la i gli le un una " +
    "uno e o ma non in di del della dei delle al alla a con per su da dal dalla tra si " +
    "suo sua",
  ja: "何 誰 いつ どこ どう なぜ どの どれ いくつ いくら です ます か は が を に で と も の へ から まで する した いる ある",
  nl:
    "wie wat wanneer waar hoe waarom welke welk hoeveel is zijn was waren wordt worden " +
    "werd werden heeft hebben had kan kunnen moet moeten mag de het een en of maar niet " +
    "geen in op aan uit bij met naar van voor door over onder te tot om als dat er hij " +
    "zij men zich",
  pl:
    "kto co kiedy gdzie jak dlaczego jaki jaka jakie jakich który która które ile czy " +
    "jest są był była było były być ma mają może musi i lub ale nie w we na z ze do od o " +
    "po przez dla pod nad przed za się to ten ta tego tej",
  pt:
    "quem que quê quando onde como porque qual quais quanto quanta quantos quantas é são " +
    "era eram foi foram ser tem têm havia há pode podem deve devem o a os as um uma e ou " +
    "mas não em de do da dos das no na nos nas ao à com para por sem sobre entre se seu " +
    "sua",
  ru:
    "кто что когда где как почему зачем какой какая какое какие какого какую каких каким " +
    "чей чья сколько куда откуда ли это есть был была было были быть будет может могут " +
    "должен должна и или но не в во на с со к ко у о об от до из за по под над при для " +
    "без между его ее их он она они оно который которая которые того этот эта кого кому кем " +
    "чего чему чем каком какими какому насколько называется",
  sv:
    "vem vad när var hur varför vilken vilket vilka är var vara blev blir har hade kan " +
    "måste ska den det en ett och eller men inte i på av från till med för om under över " +
    "som att sig han hon de man",
  tr:
    "kim kimin ne neyi neden niçin nasıl nerede nereden nereye hangi hangisi kaç kadar mi " +
    "mı mu mü dir dır ve veya ya ama değil bir bu şu o için ile gibi göre sonra önce olan " +
    "olarak oldu olduğu var yok da de ki her kime kimi kimler kimdir nedir nelerdir niye " +
    "neye hangileri zaman nerededir kaçtır nasıldır nasıldı neydi kimdi nelerdi",
  zh: "什么 谁 何时 哪里 哪 哪个 哪些 怎么 如何 为什么 多少 几 吗 呢 的 了 是 在 和 与 有 被 把 对 从 到 中 上 下 个 为 于 这 那",
} as const;

/** Words that only tell a text's language. */
const frequentWords = {
  da:
    "og i at det som en et den til er af på de med der ikke han har for fra var vil kan skal " +
    "ved om eller hvad hvor når også efter deres blev være",
  fi:
    "ja on ei se että oli ovat mutta kun hän jos tai joka myös mitä missä milloin kuka miten " +
    "ole olla sekä kuin niin tämä mukaan jälkeen",
  hu:
    "a az és hogy nem egy van is meg volt csak ha már mint ez azt mi ki hol mikor vagy lesz " +
    "által után szerint kell lehet",
  no:
    "og i det som en et den til er av på de med ikke han har for fra var vil kan skal ved om " +
    "eller hva hvor når også etter ble være fram",
  ro:
    "și în de la a al ale cu pe pentru este sunt nu că care din un o se sau dar ca fi fost " +
    "unde când cine cum prin între după",
} as const;

export type ListedLanguage = keyof typeof functionWords | keyof typeof frequentWords;

/** Frequent words of a language, with spaces between them. */
export function functionWordsOf(language: ListedLanguage): string {
  return { ...functionWords, ...frequentWords }[language];
}

const otherScripts: ReadonlySet<string> = new Set(["ar", "ja", "ru", "zh"]);

/** The languages of each word without accents; made once. */
let known: ReadonlyMap<string, readonly string[]> | undefined;

function languagesOfWords(): ReadonlyMap<string, readonly string[]> {
  const byWord = new Map<string, string[]>();
  for (const [language, words] of Object.entries(functionWords)) {
    for (const word of words.split(" ")) {
      const plain = unaccented(word);
      byWord.set(plain, [...(byWord.get(plain) ?? []), language]);
    }
  }
  return byWord;
}

/** True for a word of questions, without accents, in one of these languages or another script. */
export function isFunctionWord(plain: string, languages: readonly string[]): boolean {
  known ??= languagesOfWords();
  const having = known.get(plain) ?? [];
  return having.some((language) => otherScripts.has(language) || languages.includes(language));
}
