import { chromium, type Browser, type Page } from "playwright-core";
import { findChromium } from "../tools.ts";
import { cellHeight, cellWidth, drawingOf } from "./drawing.ts";
import type { TerminalPalette } from "./palettes.ts";
import { readPng, writePng } from "./png.ts";
import type { Screen } from "./session.ts";

/** Draws screens with Chromium, as PNG files with a table of colours. */
export class Pictures implements AsyncDisposable {
  readonly #browser: Browser;
  readonly #page: Page;

  private constructor(browser: Browser, page: Page) {
    this.#browser = browser;
    this.#page = page;
  }

  static async open(): Promise<Pictures> {
    const executablePath = await findChromium();
    if (executablePath === undefined) throw new Error("needs Chromium, to draw screens");
    const browser = await chromium.launch({ executablePath, chromiumSandbox: false });
    return new Pictures(browser, await browser.newPage());
  }

  /** The picture of a page in HTML, as a scanner makes it: 1,240 dots wide. */
  async scan(html: string): Promise<Uint8Array> {
    await this.#page.setViewportSize({ width: 1240, height: 1754 });
    await this.#page.setContent(html);
    return await this.#page.screenshot({ type: "png" });
  }

  async draw(
    { cells, png }: Pick<Screen, "cells" | "png">,
    palette: TerminalPalette,
  ): Promise<Uint8Array> {
    const width = (cells[0]?.length ?? 0) * cellWidth;
    await this.#page.setViewportSize({ width, height: cells.length * cellHeight });
    await this.#page.setContent(`<body style="margin:0">${drawingOf(cells, palette, png)}`);
    return writePng(readPng(await this.#page.screenshot({ type: "png" })));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#browser.close();
  }
}
