interface Open {
  readonly documentId: string;
  readonly filename: string;
  readonly target: string;
}

/** Reviews that end with their decisions: two of a document, and one of another. */
export class FakeReviews {
  #open: readonly Open[];

  constructor(documentId: string, laterId: string) {
    this.#open = [
      { documentId, filename: "plans.pdf", target: "label" },
      { documentId, filename: "plans.pdf", target: "fields.deadline" },
      { documentId: laterId, filename: "later.pdf", target: "fields.deadline" },
    ];
  }

  list(url: URL): object {
    const wanted = url.searchParams.get("documentId");
    const limit = Number(url.searchParams.get("limit") ?? 100);
    const items = this.#open
      .filter(({ documentId }) => wanted === null || documentId === wanted)
      .slice(0, limit)
      .map((open) => ({
        ...open,
        confidence: 0.9,
        threshold: 0.95,
        found: { value: "2026-12-14" },
      }));
    return { items, hasNextPage: false, total: items.length };
  }

  decide(documentId: string, target: string): void {
    this.#open = this.#open.filter(
      (open) => open.documentId !== documentId || open.target !== target,
    );
  }
}
