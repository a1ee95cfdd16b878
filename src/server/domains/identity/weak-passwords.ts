/**
 * Words that passwords of lists of leaks are made of, in lower case. A password of several of them,
 * with numbers and runs of keys, is among the first that are tried.
 */
const words = `
  password passwort passwd passphrase pass secret geheim letmein welcome willkommen login logon signin
  access admin administrator root user username guest default test testing tester demo example sample
  temp temporary changeme change please open opensesame sesame master server system service support
  manager office company business internet computer laptop windows microsoft google apple android
  iphone samsung facebook instagram twitter youtube amazon linkedin github network wireless router
  database oracle postgres mysql docker kubernetes cloud azure portal council planning planner licence
  licensing northwind workspace tenant platform monday tuesday wednesday thursday friday saturday sunday
  january february march april may june july august september october november december spring summer
  autumn fall winter season today tomorrow yesterday morning evening night day week month year hello
  hallo goodbye bonjour hola ciao love iloveyou loveyou lovely lover forever baby babygirl babyboy angel
  princess prince queen king kingdom dragon monkey shadow sunshine flower butterfly rainbow unicorn
  football soccer baseball basketball hockey tennis golf rugby cricket liverpool chelsea arsenal
  manchester united everton barcelona madrid juventus bayern dortmund steelers yankees cowboys lakers
  batman superman spiderman starwars pokemon pikachu naruto matrix gandalf hobbit harrypotter minecraft
  fortnite warcraft counterstrike michael jennifer jessica jordan daniel thomas george andrew charlie
  robert william joshua matthew anthony david james john peter paul mark chris christopher nicole
  michelle ashley amanda samantha stephanie elizabeth victoria alexander alexandra maria anna laura
  hannah sophie emma olivia jack harry oliver max maximilian mustang corvette ferrari porsche mercedes
  yamaha harley toyota honda nissan london paris berlin newyork america england scotland ireland france
  germany deutschland canada australia texas california chicago boston dallas hunter ranger soldier
  killer ninja samurai pirate wizard knight warrior phoenix tiger lion eagle falcon panther wolf bear
  dog cat horse puppy kitten chicken turtle dolphin penguin cookie chocolate cheese pepper ginger banana
  orange lemon cherry peaches pumpkin coffee whiskey guinness vodka beer pizza money dollar million lucky
  success freedom liberty peace jesus christ god bless blessed faith heaven hope trust truth family
  friend friends mother father mommy daddy sister brother trustno trust fuck fuckyou asshole bitch sexy
  hottie purple yellow green blue red black white silver gold golden diamond crystal star stars moon
  ocean river mountain forest garden island beach home house school college university student teacher
  doctor nurse music guitar piano drummer dance dancer magic mystery power energy thunder lightning
  blaster hacker hacking qwerty qwertz azerty asdf zxcv yxcv wasd abc xyz
  the and you are not for my your our is it this that what why who big new old good best super mega
`;

/** Rows of keys, the alphabet and the digits: a part of one, in either direction, is a run. */
const rows = [
  "qwertyuiop",
  "qwertzuiop",
  "azertyuiop",
  "asdfghjkl",
  "zxcvbnm",
  "yxcvbnm",
  "abcdefghijklmnopqrstuvwxyz",
  "01234567890",
  "1qaz2wsx3edc4rfv5tgb6yhn7ujm",
  "1q2w3e4r5t6y7u8i9o0p",
].flatMap((row) => [row, Array.from(row).toReversed().join("")]);

const shortestRun = 3;
/** Bounds the time for a long password. */
const longestPiece = 40;
/** Digits that are no run: a year, a birthday, the digits that a rule has asked for. */
const longestNumber = 8;
/** A password of so few parts is weak; each unknown character is a part. */
const weakParts = 3;

/** Letters that digits and signs often stand for. */
const signs: Readonly<Record<string, string>> = {
  "0": "o",
  "1": "i",
  "3": "e",
  "4": "a",
  "5": "s",
  "7": "t",
  "@": "a",
  $: "s",
  "!": "i",
};

let known: ReadonlySet<string> | undefined;

/** The set of words, made when the first password is chosen. */
function knownWords(): ReadonlySet<string> {
  return (known ??= new Set(words.trim().split(/\s+/)));
}

/**
 * True if a password is made of few well-known parts: common words, runs of keys, one
 * character repeated, numbers, and the given words about the user.
 */
export function isWeak(password: string, about: readonly string[]): boolean {
  const text = password.normalize("NFKC").toLowerCase();
  const own = new Set(about.map((word) => word.toLowerCase()).filter((word) => word.length >= 3));
  const plain = Array.from(text, (sign) => signs[sign] ?? sign).join("");
  // Signs between the parts and after the last one are among the first that are tried.
  return hasFewParts(text, plain.length === text.length ? plain : text, own);
}

/** True if few parts make the whole text; a repeated part counts once, a sign not at all. */
function hasFewParts(text: string, plain: string, own: ReadonlySet<string>): boolean {
  const dictionary = knownWords();
  const isWord = (word: string): boolean => dictionary.has(word) || own.has(word);
  /** For each length of the start of the text: its fewest parts, unless they are too many. */
  const fewest: (readonly string[] | undefined)[] = [[]];
  for (let end = 1; end <= text.length; end += 1) {
    let least: readonly string[] | undefined;
    for (let start = end - 1; start >= Math.max(0, end - longestPiece); start -= 1) {
      const before = fewest[start];
      if (before === undefined) continue;
      const piece = text.slice(start, end);
      const letters = plain.slice(start, end);
      const isPart = isWord(piece) || isWord(letters);
      if (!isPart && piece.length > 1 && !isNumber(piece) && !isRun(piece)) continue;
      const name = isPart ? letters : piece;
      const next = isSeparator(piece) || before.includes(name) ? before : [...before, name];
      if (next.length > weakParts) continue;
      if (least === undefined || next.length < least.length) least = next;
    }
    fewest.push(least);
  }
  return fewest.at(-1) !== undefined;
}

function isNumber(piece: string): boolean {
  return piece.length <= longestNumber && /^\d+$/.test(piece);
}

function isRun(piece: string): boolean {
  if (piece.length < shortestRun) return false;
  return /^(.)\1+$/su.test(piece) || rows.some((row) => row.includes(piece));
}

/** A single sign between parts. */
function isSeparator(piece: string): boolean {
  return piece.length === 1 && !/[\p{L}\p{N}]/u.test(piece);
}
