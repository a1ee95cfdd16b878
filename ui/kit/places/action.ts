import type { Client } from "#client/index.ts";
import type { Page, PageQuery } from "../answers/page-request.ts";
import type { Filter } from "../filter/use-filter.ts";
import type { LiveList } from "../lists/live-list.ts";
import { Part, usePart } from "../state/part.ts";
import type { CommandOptions } from "../text/command-line.ts";

/** A command without its program, as words and options. */
export type CommandWords = readonly [words: readonly string[], options?: CommandOptions];

/** An action on something, as data: the question before it, the work, and the message after it. */
export interface Action<Subject, Answer = unknown> {
  /** The question before it; an action that can be undone needs none. */
  readonly question?: {
    title(subject: Subject): string;
    /** The removed or changed things, one line each. */
    effects(subject: Subject, tenantId: string | undefined): readonly string[];
    /** The command with the same effect, where it is one of the open workspace. */
    command?(subject: Subject): CommandWords;
    /** The command with the same effect, where it is one of the platform. */
    platformCommand?(subject: Subject): CommandWords;
    /** The text to type before an action that has no undo. */
    typed?(subject: Subject): string;
  };
  /** Whether the subject is gone afterwards, so that its details close. */
  readonly removes?: boolean;
  run(client: Client, subject: Subject, tenantId: string | undefined): Promise<Answer>;
  /** The message of the end; `failed` for an action that was done in part. */
  done(subject: Subject, answer: Answer): string | { readonly failed: string };
}

/** The request of a list place for a page. */
export interface PageQuestion {
  readonly tenantId: string | undefined;
  readonly signal: AbortSignal;
  readonly query: PageQuery;
  /** The typed filter; absent without one. */
  readonly text: string | undefined;
  /** The filter of fields, as JSON. */
  readonly where: string | undefined;
}

/** A list of the platform, as data. */
export interface PlaceList<Row> {
  /** The name of the list's answers among all, such as that of its route. */
  readonly question: string;
  /** The id of the thing whose rows these are, for a list of one thing. */
  readonly of?: string;
  readonly ask: (client: Client, question: PageQuestion) => Promise<Page<Row>>;
  readonly keyOf: (row: Row) => string;
  /** A period of the refreshes that is shorter than usual, depending on the loaded rows. */
  readonly refreshMs?: (rows: readonly Row[]) => number | undefined;
}

/** The parts of the shell that a list place reaches. */
export interface PlaceShell {
  /** A hook: the rows that match the filter, of which `height` are in sight. */
  readonly useRows: <Row>(
    list: PlaceList<Row>,
    filter: Pick<Filter, "text" | "where">,
    height: number,
  ) => LiveList<Row>;
  /**
   * A hook: the ids that are new in a list since the user's last look at it, which this is one of.
   * A place is named as in the marks of the platform, such as `documents`.
   */
  readonly useNews: (place: string) => ReadonlySet<string>;
  readonly back: () => void;
  readonly copy: (text: string) => void;
  /** Copies a command that does the same in another terminal. */
  readonly copyCommand: (...command: CommandWords) => void;
  readonly act: Act;
}

/** Asks where the action has a question, and runs it; `onEnd` follows, also without an answer. */
export type Act = <Subject, Answer>(
  action: Action<Subject, Answer>,
  subject: Subject,
  onEnd: (answer?: Answer) => void,
) => void;

export const placeShellPart = new Part<PlaceShell>("shell of a place");

export function useAct(): Act {
  return usePart(placeShellPart).act;
}
