import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { UrlAnalysis, UrlAnalysisRequest } from "#contract/documents/analysis.ts";
import type { DocumentLifecycle } from "#contract/documents/lifecycles.ts";
import { pointer } from "#contract/problems.ts";
import { fetchFolderPrefix, removeAbandonedFolders } from "#lib/files/abandoned-folders.ts";
import { FetchFileError, fetchFile } from "../../../kit/outbound/fetch-file.ts";
import type { Resolve } from "../../../kit/outbound/checked-address.ts";
import type { FetchedFile } from "../../../kit/outbound/fetch-file.ts";
import { invalid } from "../../../kit/faults.ts";
import { Permits } from "../../../kit/turns/permits.ts";
import { analyzeFields } from "../../../text/analysis/analyze-fields.ts";
import { extractInChild } from "../../../text/extraction/child/extract-in-child.ts";
import { ExtractionError } from "../../../text/extraction/extraction-error.ts";
import type { Models } from "../../../models/models.ts";
import type { Work } from "../../../work/work.ts";
import { pictureReaderOf } from "../picture-model.ts";
import type { RecordLookup } from "../../records/service.ts";
import type { Classification } from "../store/document-row.ts";
import { requireBinding, requireWorkflow } from "../upload/upload-scope.ts";
import type { WorkflowGate } from "../../workflow-gate.ts";

const limits = { limitBytes: 25 * 1024 * 1024, timeoutMs: 20_000, redirects: 3 } as const;
/** Each takes a process and up to 25 MiB of disk; one workspace leaves others half of them. */
const turns = {
  count: 4,
  countPerShare: 2,
  queueLimit: 64,
  queueLimitPerShare: 16,
  waitLimitMs: 10_000,
} as const;
/** A fetch and an extraction take far less. */
const hourMs = 60 * 60_000;
/** The kind of a document shows at its start. */
const firstPages = 5;
const defaultLifecycle: DocumentLifecycle = "planning-assist-v1";

/** Finds the kind of a file by the classifier of a workspace; another domain implements it. */
export type UrlClassifier = (
  work: Work,
  file: {
    readonly workspaceId: string;
    readonly lifecycle: string;
    readonly context: { readonly vertical_key?: string; readonly workflow_key?: string };
  },
  text: string,
  signal: AbortSignal,
) => Promise<Classification>;

export interface UrlAnalyzerOptions {
  /** Finds the kind of the file; without it the analysis has no classification. */
  readonly classify?: UrlClassifier | undefined;
  readonly records: RecordLookup;
  /** Every workflow may be used without it. */
  readonly gate?: WorkflowGate | undefined;
  readonly extractionCommand: readonly string[];
  readonly ocrFolder?: string | undefined;
  readonly models?: Models | undefined;
  readonly fetchHosts: readonly string[];
  /** For tests: how host names are resolved. */
  readonly resolve?: Resolve | undefined;
}

/** Analyses the files at URLs; stores nothing (spec 4.1, rules 11 and 12). */
export class UrlAnalyzer {
  readonly #workspaces = new Permits(turns);
  /** A caller who uses several workspaces gets the share of one. */
  readonly #callers = new Permits({ ...turns, count: Number.POSITIVE_INFINITY });

  constructor(private readonly options: UrlAnalyzerOptions) {}

  /** 422 for a URL that can't be fetched or read, and for keys without an active workflow. */
  async analyze(
    work: Work,
    workspaceId: string,
    request: UrlAnalysisRequest,
    signal: AbortSignal,
  ): Promise<UrlAnalysis> {
    const lifecycle = await this.#lifecycle(work, workspaceId, request);
    const { url, vertical_key, workflow_key } = request;
    const context =
      vertical_key === undefined || workflow_key === undefined
        ? {}
        : { vertical_key, workflow_key };
    const scope = { workspaceId, lifecycle, context };
    const { caller } = work.scope;
    return this.#callers.hold(
      () => {
        const run = () => this.#analyzeInFolder(work, url, scope, signal);
        return this.#workspaces.hold(run, workspaceId, signal, caller);
      },
      caller,
      signal,
    );
  }

  async #analyzeInFolder(
    work: Work,
    url: string,
    scope: Parameters<UrlClassifier>[1],
    signal: AbortSignal,
  ): Promise<UrlAnalysis> {
    let folder: string | undefined;
    try {
      await removeAbandonedFolders(tmpdir(), fetchFolderPrefix, hourMs);
      folder = await mkdtemp(join(tmpdir(), fetchFolderPrefix));
      return await this.#analyze(work, url, join(folder, "file"), scope, signal);
    } catch (error) {
      if (!(error instanceof FetchFileError) && !(error instanceof ExtractionError)) throw error;
      const detail =
        error instanceof FetchFileError ? error.message : `has no readable file: ${error.message}`;
      throw invalid([{ pointer: pointer("url"), detail }]);
    } finally {
      if (folder !== undefined) await rm(folder, { recursive: true, force: true });
    }
  }

  /** The lifecycle of the keys' workflow (spec 4.1 rules 2 and 12). */
  async #lifecycle(
    work: Work,
    workspaceId: string,
    { vertical_key, workflow_key }: UrlAnalysisRequest,
  ): Promise<DocumentLifecycle> {
    if (vertical_key === undefined && workflow_key === undefined) return defaultLifecycle;
    if (vertical_key === undefined || workflow_key === undefined) {
      const missing = vertical_key === undefined ? "vertical_key" : "workflow_key";
      throw invalid([
        { pointer: pointer(missing), detail: "is required: the two keys are a pair" },
      ]);
    }
    const keys = { vertical_key, workflow_key };
    const { records, gate } = this.options;
    await requireWorkflow(work, gate, workspaceId, keys);
    const binding = await requireBinding(work, records, workspaceId, keys);
    return binding.lifecycle ?? defaultLifecycle;
  }

  async #analyze(
    work: Work,
    url: string,
    path: string,
    scope: Parameters<UrlClassifier>[1],
    signal: AbortSignal,
  ): Promise<UrlAnalysis> {
    const { classify, extractionCommand, fetchHosts, models, ocrFolder, resolve } = this.options;
    const allowedHosts = new Set(fetchHosts);
    const fetched = await fetchFile(url, path, { ...limits, allowedHosts, signal, resolve });
    const filename = filenameOf(fetched);
    const mediaType = fetched.contentType.split(";")[0]?.trim() ?? "";
    const document = await extractInChild(
      { path, filename, mediaType },
      { command: extractionCommand, signal, ocrFolder, pictureReader: pictureReaderOf(models) },
    );
    const texts = document.pages.slice(0, firstPages).map(({ text }) => text);
    const classified = await classify?.(work, scope, texts.join("\n"), signal);
    return {
      url: fetched.url,
      filename,
      mediaType: document.mediaType,
      size: fetched.size,
      sha256: fetched.sha256,
      pages: document.pages.length,
      classification:
        classified === undefined ? null : { ...classified, candidates: [...classified.candidates] },
      fields: analyzeFields(document.pages) as UrlAnalysis["fields"],
      warnings: document.warnings,
    };
  }
}

const longestName = 255;

/** The name in `Content-Disposition`, else the last segment of the path. */
function filenameOf({ url, contentDisposition }: FetchedFile): string {
  const named = /filename="?([^";]+)"?/i.exec(contentDisposition)?.[1];
  const segment = new URL(url).pathname.split("/").at(-1) ?? "";
  return (
    (named ?? decoded(segment)).replace(/[/\\\x00-\x1f]/g, "_").slice(0, longestName) || "file"
  );
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
