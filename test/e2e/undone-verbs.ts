import type { Resource, Resources } from "#client/index.ts";
import { keys, type OpenedTerminal } from "../support/tty.ts";
import { patient } from "../ui/support/open-dashboard.ts";

/** The list of the planning applications in a dashboard, and what is stored of them. */
export interface Desk {
  readonly terminal: OpenedTerminal;
  readonly records: Resources;
  /** Files that the type accepts, by their paths. */
  readonly files: readonly string[];
  /** Returns a random number below the limit. */
  readonly below: (limit: number) => number;
  /** The stored records as they are now, in the order of the list. */
  readonly stored: readonly Resource[];
}

/** Makes a change by keys, and returns after the outcome is drawn. */
export type Verb = (desk: Desk) => Promise<void>;

const rows = 12;
const property = "plans";
const openStates: readonly unknown[] = ["open", "consulting"];

function nameOf({ data }: Resource): string {
  return String(data["reference"]);
}

const pressAgainMs = 1_000;
const mostPresses = 30;

/** Presses a key again until the screen matches. */
async function press(terminal: OpenedTerminal, key: string, wanted: RegExp): Promise<void> {
  for (let left = mostPresses; left > 1; left -= 1) {
    terminal.write(key);
    const found = await terminal.waitFor(wanted, { timeoutMs: pressAgainMs }).then(
      () => true,
      () => false,
    );
    if (found) return;
  }
  await terminal.waitFor(wanted, patient);
}

/** Selects the row with this index, and waits for its details in the stored version. */
async function selectRow({ terminal, stored }: Desk, index: number): Promise<Resource> {
  const record = stored[index];
  if (record === undefined) throw new Error(`the list has no row ${index}`);
  const wanted = `▸ ${nameOf(record)}[\\s\\S]+version +${record.version}\\b`;
  // A record that was created and undone may be in the list while the keys arrive.
  await press(terminal, `g${"j".repeat(index)}`, new RegExp(wanted));
  return record;
}

/** Selects a random record among the first rows that qualify. */
async function select(
  desk: Desk,
  qualifies: (record: Resource) => boolean = () => true,
): Promise<Resource> {
  const found = [...desk.stored.slice(0, rows).entries()].filter(([, each]) => qualifies(each));
  const [index] = found[desk.below(found.length)] ?? [];
  if (index === undefined) throw new Error("no record qualifies");
  return selectRow(desk, index);
}

/** Moves in a form to the field with this label. */
async function goToField(terminal: OpenedTerminal, label: string, downs: number): Promise<void> {
  terminal.write(keys.tab.repeat(downs));
  await terminal.waitFor(`▸ ${label}`, patient);
}

async function save({ terminal }: Desk, outcome: string | RegExp): Promise<void> {
  terminal.write(keys.ctrl("s"));
  await terminal.waitFor(outcome, patient);
}

async function openEdit(desk: Desk): Promise<Resource> {
  const record = await select(desk);
  desk.terminal.write("e");
  const title = `Edit ${nameOf(record)}, version ${record.version}`;
  await desk.terminal.waitFor(title, patient);
  return record;
}

const savedAs = (record: Resource) => `saved ${nameOf(record)} as version ${record.version + 1}`;

async function editField(desk: Desk): Promise<void> {
  const record = await openEdit(desk);
  await goToField(desk.terminal, "address", 1);
  desk.terminal.write(` ${desk.below(1_000)}`);
  await save(desk, savedAs(record));
}

async function editStatus(desk: Desk): Promise<void> {
  const record = await openEdit(desk);
  await goToField(desk.terminal, "status", 2);
  desk.terminal.write(keys.right.repeat(1 + desk.below(3)));
  await save(desk, savedAs(record));
}

/** Opens the choice of a field, and takes the one with this name. */
async function chooseField(desk: Desk, name: string): Promise<Resource> {
  const record = await select(desk);
  desk.terminal.write("i");
  await desk.terminal.waitFor(`Edit a field of ${nameOf(record)}`, patient);
  desk.terminal.write(name);
  await desk.terminal.waitFor(`▸ ${name}`, patient);
  desk.terminal.write(keys.enter);
  await desk.terminal.waitFor(
    `Edit ${nameOf(record)}, version ${record.version}: ${name}`,
    patient,
  );
  return record;
}

async function editCell(desk: Desk): Promise<void> {
  const record = await chooseField(desk, "applicant");
  desk.terminal.write(` ${desk.below(1_000)}`);
  await save(desk, savedAs(record));
}

async function chooseCell(desk: Desk): Promise<void> {
  const record = await chooseField(desk, "status");
  const states = ["received", "open", "consulting", "withdrawn"];
  const others = states.filter((state) => state !== record.data["status"]);
  const state = others[desk.below(others.length)] ?? "";
  desk.terminal.write(state);
  await desk.terminal.waitFor(`▸ ${state}`, patient);
  desk.terminal.write(keys.enter);
  await desk.terminal.waitFor(savedAs(record), patient);
}

async function create(desk: Desk): Promise<void> {
  const { terminal, below } = desk;
  const reference = `PA-2027-${String(below(10_000)).padStart(4, "0")}`;
  terminal.write("c");
  await terminal.waitFor("Create planning-application", patient);
  terminal.write(`${reference}${keys.tab}${below(200)} Quay Street${keys.tab}`);
  await terminal.waitFor("▸ status", patient);
  terminal.write(keys.right);
  await goToField(terminal, "received", 3);
  terminal.write(`2027-0${1 + below(9)}-1${below(10)}`);
  await save(desk, `created ${reference}`);
  await terminal.waitFor(`▸ ${reference}`, patient);
}

/** Answers the question with this title. */
async function agree({ terminal }: Desk, title: string): Promise<void> {
  await terminal.waitFor(new RegExp(`${title}[\\s\\S]+y yes`), patient);
  terminal.write("y");
}

/** Marks the selected record and those below it. */
async function mark({ terminal }: Desk, count: number): Promise<void> {
  terminal.write(" ".repeat(count));
  await terminal.waitFor(`${count} marked`, patient);
}

async function remove(desk: Desk): Promise<void> {
  const record = await select(desk);
  desk.terminal.write(keys.ctrl("d"));
  await agree(desk, `Delete ${nameOf(record)}`);
  await desk.terminal.waitFor(`deleted ${nameOf(record)}`, patient);
}

async function removeMarked(desk: Desk): Promise<void> {
  await select(desk);
  const count = 2 + desk.below(4);
  await mark(desk, count);
  desk.terminal.write(keys.ctrl("d"));
  await agree(desk, `Delete ${count} records`);
  await desk.terminal.waitFor(`deleted ${count} records`, patient);
}

/** Opens the form of the action "decide", and chooses a decision. */
async function openDecision({ terminal, below }: Desk): Promise<void> {
  terminal.write("d");
  await terminal.waitFor("Choose an action", patient);
  terminal.write(keys.enter);
  await terminal.waitFor("decision *", patient);
  terminal.write(keys.right.repeat(1 + below(3)));
}

async function act(desk: Desk): Promise<void> {
  const record = await select(desk, ({ data }) => openStates.includes(data["status"]));
  await openDecision(desk);
  await save(desk, `Decide: ${nameOf(record)} is version ${record.version + 1}`);
}

/** Acts on marked records; those that the action refuses are listed, and stay marked. */
async function actOnMarked(desk: Desk): Promise<void> {
  const { terminal, below, stored } = desk;
  const count = 2 + below(3);
  const isOpen = ({ data }: Resource) => openStates.includes(data["status"]);
  const starts = [...Array(rows).keys()].filter((at) => stored.slice(at, at + count).some(isOpen));
  const start = starts[below(starts.length)] ?? 0;
  await selectRow(desk, start);
  await mark(desk, count);
  await openDecision(desk);
  terminal.write(keys.ctrl("s"));
  await agree(desk, `Decide: ${count} records`);
  const done = stored.slice(start, start + count).filter(isOpen).length;
  // The title of the running work is that of its outcome.
  await terminal.waitFor(done === count ? `✓ Decide: ${count} records` : "closes this", patient);
  if (done === count) return;
  terminal.write(keys.enter);
  await terminal.waitFor((screen) => !screen.includes("closes this"), patient);
  terminal.write(keys.escape);
  await terminal.waitFor((screen) => !screen.includes(" marked"), patient);
}

/** Does something in another tab of the details, and comes back to the list. */
async function inTab(desk: Desk, back: number, work: () => Promise<void>): Promise<void> {
  const { terminal } = desk;
  terminal.write(`${"[".repeat(back)}${keys.enter}`);
  await work();
  terminal.write("]".repeat(back) + keys.backTab);
  await terminal.waitFor("[fields]", patient);
}

const hasFile = ({ data }: Resource) => typeof data[property] === "object";

/** Sends a file to the record; an earlier one is replaced after a question. */
async function send(desk: Desk, record: Resource): Promise<void> {
  const { terminal, files, below } = desk;
  const now = JSON.stringify(record.data[property] ?? "");
  const others = files.filter((path) => !now.includes(path.split("/").at(-1) ?? ""));
  const path = others[below(others.length)] ?? "";
  const name = path.split("/").at(-1) ?? "";
  terminal.write("u");
  await terminal.waitFor(`A file for ${property}`, patient);
  terminal.write(keys.ctrl("u") + path);
  await terminal.waitFor(`▸ ${name}`, patient);
  terminal.write(keys.enter);
  if (hasFile(record)) await agree(desk, `Replace the file ${property}`);
  await terminal.waitFor(`${name} is on ${property}`, patient);
}

async function upload(desk: Desk): Promise<void> {
  const record = await select(desk, (each) => !hasFile(each));
  await inTab(desk, 1, async () => {
    await desk.terminal.waitFor("No file yet", patient);
    await send(desk, record);
  });
}

async function replaceFile(desk: Desk): Promise<void> {
  const record = await select(desk, hasFile);
  await inTab(desk, 1, async () => {
    await desk.terminal.waitFor("sha256 ", patient);
    await send(desk, record);
  });
}

async function removeFile(desk: Desk): Promise<void> {
  const { terminal } = desk;
  await select(desk, hasFile);
  await inTab(desk, 1, async () => {
    await terminal.waitFor("sha256 ", patient);
    terminal.write(keys.ctrl("d"));
    await terminal.waitFor(`Type ${property} to do it`, patient);
    terminal.write(property);
    await terminal.waitFor(`› ${property}`, patient);
    terminal.write(keys.enter);
    await terminal.waitFor(`deleted the file ${property}`, patient);
  });
}

/** Restores the first version of a record that has changed since. */
async function restoreVersion(desk: Desk): Promise<void> {
  const { terminal, records } = desk;
  const changed: Resource[] = [];
  const firsts = desk.stored.slice(0, rows).filter(({ version }) => version > 1);
  await Promise.all(
    firsts.map(async (record) => {
      const first = await records.get(record.id, { version: 1 });
      if (JSON.stringify(first.data) !== JSON.stringify(record.data)) changed.push(record);
    }),
  );
  const record = await select(desk, ({ id }) => changed.some((each) => each.id === id));
  await inTab(desk, 3, async () => {
    // The tab shows the row and the rows of an earlier visit first.
    await press(terminal, "g", new RegExp(`▸ +${record.version} `));
    await press(terminal, "G", /▸ +1 +create/);
    terminal.write("z");
    await agree(desk, `Restore version 1 of ${nameOf(record)}`);
    await terminal.waitFor(`as version ${record.version + 1}`, patient);
  });
}

/** Brings a deleted record back from the trash. */
async function restoreDeleted(desk: Desk): Promise<void> {
  const { terminal } = desk;
  terminal.write("T");
  await terminal.waitFor(/deleted planning-application ─ \d+ ─[\s\S]+▸ PA-/, patient);
  terminal.write("z");
  await terminal.waitFor(/restored PA-\d+-\d+ as version/, patient);
  terminal.write(keys.escape);
  await terminal.waitFor("┌ planning-application ─ 42 ─", patient);
}

export const verbs: Readonly<Record<string, Verb>> = {
  "edit of a text": editField,
  "edit of a status": editStatus,
  "edit of one cell": editCell,
  "choice in one cell": chooseCell,
  creation: create,
  deletion: remove,
  "deletion of marks": removeMarked,
  action: act,
  "action on marks": actOnMarked,
  upload,
  "replaced file": replaceFile,
  "deleted file": removeFile,
  "restored version": restoreVersion,
  "restored record": restoreDeleted,
};
