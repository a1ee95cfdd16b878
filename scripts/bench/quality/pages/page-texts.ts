/** Text of a page with the HTML that shows it. */
export interface PageBody {
  readonly text: string;
  readonly html: string;
}

const people = "Amara Okafor, Jonas Weber, Lucía Fernández, Priya Natarajan, Tom Baxter".split(
  ", ",
);
const places = "Quay Street, Harbour Road, Mill Lane, Castle Hill, Station Square".split(", ");
const subjects =
  "the boundary wall, a rear extension, the drainage survey, six parking spaces, the oak tree, the bakery sign".split(
    ", ",
  );
const sentences: readonly string[] = [
  "The applicant, {person}, asks for permission to change {subject} at {number} {place}.",
  "Officers visited the site on {day} March 2026 and measured {number}.{day} metres between the walls.",
  "A neighbour at {number} {place} objects to {subject} because of noise and early deliveries.",
  "The fee of GBP {number}.50 was paid by bank transfer (reference PA-2026-0{number}).",
  "Permission is recommended, subject to {day} conditions and a review after twelve months.",
  "{person} replied that {subject} will be finished before the end of the season.",
  "No objection was received from the highway authority; its letter is attached as appendix {day}.",
  "The committee discussed {subject} for nearly an hour and voted {day} to 3 in favour.",
];

/** Numbers that depend on the seed alone, so that each run reads the same pages. */
function numbersFrom(seed: number): (limit: number) => number {
  let state = (seed * 2_654_435_761 + 12_345) >>> 0;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state >>> 9) % limit;
  };
}

function sentence(next: (limit: number) => number): string {
  const values: Readonly<Record<string, () => string>> = {
    person: () => people[next(people.length)] ?? "",
    place: () => places[next(places.length)] ?? "",
    subject: () => subjects[next(subjects.length)] ?? "",
    number: () => String(100 + next(800)),
    day: () => String(4 + next(24)),
  };
  const pattern = sentences[next(sentences.length)] ?? "";
  return pattern.replace(/\{(\w+)\}/g, (_, name: string) => values[name]?.() ?? "");
}

function paragraph(next: (limit: number) => number, count = 4): string {
  return Array.from({ length: count }, () => sentence(next)).join(" ");
}

/** A title and paragraphs, in one column or several. */
export function prose(seed: number, options: { paragraphs: number; columns?: number }): PageBody {
  const next = numbersFrom(seed);
  const title = `Report ${100 + next(900)} on ${subjects[next(subjects.length)]}`;
  const texts = Array.from({ length: options.paragraphs }, () => paragraph(next));
  const written = texts.map((text) => `<p>${text}</p>`).join("");
  const columns = `columns:${options.columns ?? 1};column-gap:2.2em`;
  return {
    text: [title, ...texts].join("\n"),
    html: `<h1>${title}</h1><div style="${columns}">${written}</div>`,
  };
}

/** A title, a table with cells of several words, and a closing sentence. */
export function ledger(seed: number, border: string): PageBody {
  const next = numbersFrom(seed);
  const head = ["Reference", "Applicant", "Address", "Received", "Fee"];
  const rows = Array.from({ length: 18 }, () => [
    `PA-2026-0${100 + next(800)}`,
    people[next(people.length)] ?? "",
    `${4 + next(90)} ${places[next(places.length)]}`,
    `${4 + next(24)} March 2026`,
    `${100 + next(900)}.${10 + next(90)}`,
  ]);
  const [title, end] = [`Register of applications, week ${4 + next(40)}`, sentence(next)];
  const cells = (row: readonly string[], tag: string): string =>
    `<tr>${row.map((cell) => `<${tag}>${cell}</${tag}>`).join("")}</tr>`;
  const style = `<style>th,td{border:${border};padding:.35em .5em;text-align:left}
    table{border-collapse:collapse;width:100%;font-size:.9em}</style>`;
  const body = [cells(head, "th"), ...rows.map((row) => cells(row, "td"))].join("");
  return {
    text: [title, ...[head, ...rows].map((row) => row.join(" ")), end].join("\n"),
    html: `${style}<h1>${title}</h1><table>${body}</table><p>${end}</p>`,
  };
}

/** A form: labels with values in boxes. */
export function form(seed: number): PageBody {
  const next = numbersFrom(seed);
  const fields: readonly (readonly [string, string])[] = [
    ["Name of applicant", people[next(people.length)] ?? ""],
    ["Address of the site", `${4 + next(90)} ${places[next(places.length)]}`],
    ["Telephone", `020 7946 0${100 + next(900)}`],
    ["Proposal", subjects[next(subjects.length)] ?? ""],
    ["Floor area in square metres", `${100 + next(800)}.${next(10)}`],
    ["Date of application", `${4 + next(24)} March 2026`],
    ["Fee enclosed", `GBP ${100 + next(900)}.00`],
  ];
  const boxes = fields
    .map(
      ([label, value]) =>
        `<div style="display:flex;margin:.6em 0"><span style="width:17em">${label}</span>` +
        `<span style="flex:1;border:1px solid #222;padding:.3em .6em">${value}</span></div>`,
    )
    .join("");
  const closing = paragraph(next, 3);
  return {
    text: ["Application form", ...fields.map((field) => field.join(" ")), closing].join("\n"),
    html: `<h1>Application form</h1>${boxes}<p>${closing}</p>`,
  };
}
