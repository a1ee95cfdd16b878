import type { Client } from "#client/index.ts";
import type { Choice } from "../../kit/dialogs/questions.ts";
import { useOverlays } from "../../shell/overlays/overlays.ts";
import { useNotices } from "../../shell/notices.ts";
import { usePlatform } from "../../shell/platform/use-platform.ts";
import { headingAt, headingsOf, placesOf, type PageOfText, type TextPlace } from "./text-places.ts";

/** Pages that are read at most, and at once. */
const mostPages = 500;
const pagesAtOnce = 4;

/** The texts of the first 500 pages; a page that can't be read has none. */
async function readPages(
  client: Client,
  {
    documentId,
    pages,
    tenantId,
    signal,
  }: {
    readonly documentId: string;
    readonly pages: number;
    readonly tenantId: string | undefined;
    readonly signal: AbortSignal;
  },
): Promise<PageOfText[]> {
  const documents = client.useDocuments(tenantId);
  const last = Math.min(pages, mostPages);
  const read: PageOfText[] = [];
  for (let first = 1; first <= last; first += pagesAtOnce) {
    const numbers = Array.from(
      { length: Math.min(pagesAtOnce, last - first + 1) },
      (_, index) => first + index,
    );
    const texts = await Promise.all(
      numbers.map(async (page) => {
        const answer = await documents.page(documentId, page, { signal }).catch(() => undefined);
        return { page, text: answer?.text ?? "" };
      }),
    );
    signal.throwIfAborted();
    read.push(...texts);
  }
  return read;
}

function placeChoices(
  places: readonly TextPlace[],
  current: TextPlace | undefined,
  onPlace: (place: TextPlace) => void,
): Choice[] {
  return places.map((place, index) => ({
    id: String(index),
    words: place.words,
    note: `p. ${place.page}`,
    isCurrent: place === current,
    choose: () => onPlace(place),
  }));
}

/** The ways to other places of a document's text. */
export function useTextPlaces(
  {
    documentId,
    name,
    number,
    pages,
  }: {
    readonly documentId: string;
    readonly name: string;
    /** The page that is read. */
    readonly number: number;
    /** Undefined while it is not known. */
    readonly pages: number | undefined;
  },
  onPlace: (place: Pick<TextPlace, "page"> & Partial<TextPlace>) => void,
) {
  const overlays = useOverlays();
  const { say } = useNotices();
  const { client, tenantId } = usePlatform();

  const offer = (
    title: string,
    placesIn: (read: readonly PageOfText[]) => readonly TextPlace[],
    currentOf?: (places: readonly TextPlace[]) => TextPlace | undefined,
  ) => {
    if (client === undefined) return;
    overlays.wait({
      title,
      words: `reading ${pages ?? 1} pages`,
      ask: async (signal) => {
        const request = { documentId, pages: pages ?? 1, tenantId, signal };
        const places = placesIn(await readPages(client, request));
        const [only] = places;
        if (only === undefined) return () => say("note", `${title}: nothing was found`);
        if (places.length === 1) return () => onPlace(only);
        const choices = placeChoices(places, currentOf?.(places), onPlace);
        const placeholder = "a part of its line";
        return () =>
          overlays.choose({ title: `${title}: ${places.length} places`, placeholder, choices });
      },
    });
  };

  const find = () =>
    overlays.ask({
      title: `Find in ${name}`,
      words: "A text on any page, in upper or lower case.",
      initial: "",
      placeholder: "a text",
      onAnswer: (wanted) => offer(`Find ${wanted}`, (read) => placesOf(read, wanted)),
    });
  const outline = () =>
    offer(`Headings of ${name}`, headingsOf, (headings) => headingAt(headings, number));
  const goToPage = () =>
    overlays.ask({
      title: `Go to a page of ${name}`,
      words: pages === undefined ? "The number of the page." : `A number from 1 to ${pages}.`,
      initial: "",
      placeholder: "a number",
      problemOf: (text) => {
        const page = Number(text);
        const isPage = Number.isInteger(page) && page >= 1 && page <= (pages ?? page);
        return isPage ? undefined : `must be a number from 1 to ${pages ?? "the last page"}`;
      },
      onAnswer: (text) => onPlace({ page: Number(text) }),
    });
  return { find, outline, goToPage };
}
