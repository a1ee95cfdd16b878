import type { PageTable } from "../../text/tables/page-table.ts";

export interface ReadPage {
  readonly number: number;
  readonly text: string;
  readonly tables?: readonly PageTable[];
}

/** A configured field of a document; without a value when nothing was found. */
export interface ReadField {
  readonly type: string;
  readonly mode: "extract" | "generate";
  readonly value: string | number | boolean | null;
  readonly confidence: number;
  readonly page: number | null;
  readonly span: { readonly start: number; readonly end: number } | null;
  /** The text of the page at the span. */
  readonly quote: string | null;
  readonly method: string;
  /** Why a model that was asked did not answer. */
  readonly modelError?: string;
  readonly threshold: number;
  readonly required: boolean;
  readonly documentType: string;
  readonly analyzer: string;
  readonly analyzerVersion: number;
}
