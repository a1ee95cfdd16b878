import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { Database } from "../../../src/server/database/database.ts";
import { retrieve } from "../../../src/server/domains/chat/retrieval.ts";
import { PassageFinder } from "../../../src/server/domains/documents/search/find-passages.ts";
import { LifetimeOwner } from "../../../src/server/kit/lifetime.ts";
import { noModels } from "../../../src/server/models/models.ts";
import { openPlatformDatabase } from "../../../src/server/schema/platform-database.ts";
import { entryOf } from "../../../src/server/text/search/searched-texts.ts";
import { SearchWords } from "../../../src/server/search-index/word-list.ts";
import { splitSentences } from "../../../src/server/text/passages/sentences.ts";
import { testWorks } from "#test/support/work.ts";
import type { Row } from "../figures.ts";
import { indexPages } from "./index-pages.ts";
import { SentenceRanking } from "./sentence-ranking.ts";

/** A set of questions in the JSON form of SQuAD. */
const questionSet = z.object({
  data: z.array(
    z.object({
      title: z.string(),
      paragraphs: z.array(
        z.object({
          context: z.string(),
          qas: z.array(
            z.object({
              question: z.string(),
              answers: z.array(z.object({ text: z.string(), answer_start: z.number() })),
            }),
          ),
        }),
      ),
    }),
  ),
});

interface Asked {
  readonly question: string;
  readonly answers: readonly string[];
}

interface Questions {
  readonly texts: readonly { readonly name: string; readonly text: string }[];
  readonly answerable: readonly Asked[];
  /** Questions about a paragraph that is left out of an indexed article. */
  readonly absent: readonly Asked[];
  /** Questions about articles that are left out. */
  readonly offTopic: readonly Asked[];
}

export const questionColumns = [
  "first quote",
  "BM25 of sentences",
  "declined: answerable",
  "absent",
  "off-topic",
  "BM25 answerable at absent",
];

/** Each fourth article and each fifth paragraph of the others are left out. */
const leftOut = { article: 4, paragraph: 5 };
const workspaceId = "0192f000-0000-7000-8000-000000000002";
const signal = new AbortController().signal;
const silent = { info: () => {}, warn: () => {}, error: () => {} };

/** Questions of each file of a folder, such as those of XQuAD, answered by quotes. */
export async function askedQuestions(directory: string, folder: string): Promise<Row[]> {
  const rows: Row[] = [];
  for (const name of (await readdir(folder)).filter((each) => each.endsWith(".json")).toSorted()) {
    const questions = split(questionSet.parse(await Bun.file(join(folder, name)).json()));
    const path = join(directory, `questions-${name}.db`);
    const database = await openPlatformDatabase({ url: `sqlite:${path}`, now: () => new Date() });
    const figures = await measured(database, questions);
    rows.push({ name, figures });
    console.error(`  ${name}: ${figures.join(", ")}`);
    await database.close();
  }
  return rows;
}

function split({ data }: z.infer<typeof questionSet>): Questions {
  const texts: { name: string; text: string }[] = [];
  const [answerable, absent, offTopic]: [Asked[], Asked[], Asked[]] = [[], [], []];
  for (const [at, { title, paragraphs }] of data.entries()) {
    const isOut = at % leftOut.article === leftOut.article - 1;
    const inside: string[] = [];
    for (const [index, { context, qas }] of paragraphs.entries()) {
      const isAbsent = index === at % leftOut.paragraph;
      const asked = qas.map(({ question, answers }) => {
        return { question, answers: answers.map(({ text }) => text) };
      });
      if (!isOut && !isAbsent) inside.push(context);
      (isOut ? offTopic : isAbsent ? absent : answerable).push(...asked);
    }
    if (!isOut) texts.push({ name: `${title}.txt`, text: inside.join("\n\n") });
  }
  return { texts, answerable, absent, offTopic };
}

async function measured(database: Database, questions: Questions): Promise<string[]> {
  const { works, work } = testWorks(database);
  const lifetime = new LifetimeOwner(silent);
  const finder = new PassageFinder({ platformWork: works.forPlatform, models: noModels, lifetime });
  await indexPages(database, workspaceId, questions.texts);
  const entries = questions.texts.map(({ text }) => entryOf([text]));
  await new SearchWords(works.forPlatform).note(workspaceId, entries);
  const sentences = questions.texts.flatMap(({ text }) => splitSentences(text));
  const ranking = new SentenceRanking(sentences.map(({ text }) => text));
  const first = async (question: string): Promise<string | undefined> => {
    const options = { sources: 1, signal };
    const { passages } = await retrieve(work, finder, { workspaceId }, question, options);
    return passages[0]?.quote;
  };
  let [found, foundBeside, lost] = [0, 0, 0];
  const scores: number[] = [];
  for (const { question, answers } of questions.answerable) {
    const quote = await first(question);
    const beside = ranking.best(question);
    if (quote === undefined) lost += 1;
    else if (answers.some((answer) => quote.includes(answer))) found += 1;
    if (answers.some((answer) => beside.text.includes(answer))) foundBeside += 1;
    scores.push(beside.score);
  }
  const declined = async (asked: readonly Asked[]): Promise<number> => {
    let count = 0;
    for (const { question } of asked) if ((await first(question)) === undefined) count += 1;
    return count / Math.max(1, asked.length);
  };
  const absent = await declined(questions.absent);
  const offTopic = await declined(questions.offTopic);
  await lifetime.close();
  const all = questions.answerable.length;
  const ofAbsent = questions.absent.map(({ question }) => ranking.best(question).score);
  const threshold = ofAbsent.toSorted((one, other) => one - other)[
    Math.min(ofAbsent.length - 1, Math.ceil(absent * ofAbsent.length))
  ];
  const below = scores.filter((score) => score < (threshold ?? 0)).length;
  return [found / all, foundBeside / all, lost / all, absent, offTopic, below / all].map((share) =>
    share.toFixed(3),
  );
}
