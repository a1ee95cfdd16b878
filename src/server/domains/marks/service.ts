import { maximumUnseen, type Look, type Mark } from "#contract/access/marks.ts";
import { faultAt, invalid } from "../../kit/faults.ts";
import type { WorkspaceScope } from "../../work/caller.ts";
import type { Work } from "../../work/work.ts";
import type { Feed } from "../feed/service.ts";
import { marksOf, putMark, removeOldMarks, type MarkRecord } from "./store.ts";
import { Unseen } from "./unseen.ts";

/** Transactions of the feed that one request reads, for all of its marks. */
const maximumRows = 2_000;
const rowsAtOnce = 64;
/** The marks of a person in a workspace; a later one removes the oldest. */
const maximumMarks = 200;

interface Person {
  readonly oid: string;
  readonly workspace: WorkspaceScope;
}

/** The lists that people have seen, and what has changed in them since. */
export class Marks {
  constructor(private readonly parts: { readonly feed: Feed; readonly now: () => Date }) {}

  /** The marks of a person in a workspace, the last look first, with what is new since. */
  async list(work: Work, person: Person, place?: string): Promise<Mark[]> {
    const { oid, workspace } = person;
    const rows = await marksOf(work.read, { workspace_id: workspace.id, oid }, place);
    const budget = { rows: maximumRows };
    const marks: Mark[] = [];
    for (const row of rows) marks.push(await this.#markOf(work, person, row, budget));
    return marks;
  }

  /** Refuses 422 for a cursor of another workspace. */
  async set(work: Work, { oid, workspace }: Person, { place, cursor }: Look): Promise<Mark> {
    const { feed, now } = this.parts;
    const given = cursor === undefined ? undefined : feed.cursors.read(workspace.id, cursor);
    if (cursor !== undefined && given === undefined) {
      throw invalid([faultAt("body", ["cursor"], "is not a cursor of this workspace")]);
    }
    const position = given ?? (await feed.position(work, workspace.id));
    const seenAt = now().toISOString();
    await work.write(async (tx) => {
      const owner = { workspace_id: workspace.id, oid };
      await putMark(tx, { ...owner, place, position, seen_at: seenAt });
      await removeOldMarks(tx, owner, maximumMarks);
    });
    return { place, seenAt };
  }

  async #markOf(
    work: Work,
    { oid, workspace }: Person,
    row: MarkRecord,
    budget: { rows: number },
  ): Promise<Mark> {
    const { feed } = this.parts;
    const unseen = new Unseen(row.place, oid, maximumUnseen);
    const mark = { place: row.place, seenAt: row.seen_at };
    let { position } = row;
    while (budget.rows > 0) {
      budget.rows -= rowsAtOnce;
      const page = await feed.read(work, workspace.id, position, rowsAtOnce);
      if (page.reset !== undefined) return { ...mark, unseen: [], more: true, reset: page.reset };
      for (const event of page.events) {
        const seen = await feed.visible({ oid, role: workspace }, event);
        if (seen !== undefined) unseen.add(seen);
      }
      if (page.isWhole) return { ...mark, unseen: unseen.ids, more: unseen.hasMore };
      position = page.next;
    }
    return { ...mark, unseen: unseen.ids, more: true };
  }
}
