import { everySubject } from "../../work/change-event.ts";
import { isOfRecord, type FeedEvent } from "../feed/service.ts";

const placesOfKinds: Readonly<Record<string, string>> = {
  document: "documents",
  review: "documents",
  job: "jobs",
  member: "members",
};

/** The kind of the jobs of documents. */
const documentJob = "document";

/** The place of a mark whose list shows the subject of an event; undefined for other events. */
export function placeOfEvent(event: Pick<FeedEvent, "kind" | "type">): string | undefined {
  if (isOfRecord(event)) return event.type === undefined ? undefined : `records/${event.type}`;
  // The ids of invitations are not those of members, and only jobs of documents are in a list.
  const { kind, type } = event;
  const isOther =
    type !== undefined && (kind === "member" || (kind === "job" && type !== documentJob));
  return isOther ? undefined : placesOfKinds[kind];
}

const endings: ReadonlySet<string> = new Set(["deleted", "erased"]);

/** The ids that a reader has not seen, from events in their order. */
export class Unseen {
  readonly #ids = new Set<string>();
  #hasMore = false;

  constructor(
    private readonly place: string,
    private readonly oid: string,
    private readonly limit: number,
  ) {}

  get ids(): string[] {
    return [...this.#ids];
  }

  /** True if there are unseen things that have no id here. */
  get hasMore(): boolean {
    return this.#hasMore;
  }

  add(event: Pick<FeedEvent, "kind" | "type" | "subject" | "op" | "actor">): void {
    if (placeOfEvent(event) !== this.place || event.actor === this.oid) return;
    const { subject, op } = event;
    if (subject === everySubject) {
      this.#hasMore = true;
      return;
    }
    this.#ids.delete(subject);
    // A file that is deleted leaves a record with a change.
    if (endings.has(op) && event.kind !== "file") return;
    if (this.#ids.size >= this.limit) this.#hasMore = true;
    else this.#ids.add(subject);
  }
}
