export interface ServerEvent {
  readonly name: string | undefined;
  readonly data: string;
  readonly id: string | undefined;
}

/** Longest line or event, in UTF-16 units. */
const maximumEventLength = 1024 * 1024;

/**
 * Reads server-sent events from a stream's text as it comes (WHATWG HTML, 9.2.6). It is a sixth of
 * the size of a library that does the same, which a page would load with each chat.
 */
export class EventParser {
  /** True after a line or an event that is longer than 1 MiB. */
  isTooLong = false;
  #line = "";
  /** A line feed that follows belongs to the line before. */
  #endsInReturn = false;
  #data: string[] = [];
  #size = 0;
  #name: string | undefined;
  #id: string | undefined;

  /** The events that the text completes. */
  read(text: string): readonly ServerEvent[] {
    const [first = "", ...lines] = (
      this.#endsInReturn && text.startsWith("\n") ? text.slice(1) : text
    ).split(/\r\n|\r|\n/);
    if (text !== "") this.#endsInReturn = text.endsWith("\r");
    this.#line += first;
    const events: ServerEvent[] = [];
    for (const line of lines) {
      const event = this.#end(this.#line);
      if (event !== undefined) events.push(event);
      this.#line = line;
    }
    this.isTooLong ||= this.#line.length + this.#size > maximumEventLength;
    return this.isTooLong ? [] : events;
  }

  /** The event that ends with a line, which is empty then. */
  #end(line: string): ServerEvent | undefined {
    if (line === "") return this.#event();
    const [field = ""] = line.split(":", 1);
    const value = line.slice(field.length + 1).replace(/^ /, "");
    if (field === "event") this.#name = value === "" ? undefined : value;
    if (field === "id" && !value.includes("\0")) this.#id = value;
    if (field !== "data") return undefined;
    this.#data.push(value);
    this.#size += value.length + 1;
    this.isTooLong ||= this.#size > maximumEventLength + 1;
    return undefined;
  }

  #event(): ServerEvent | undefined {
    const data = this.#data.join("\n");
    const event = { name: this.#name, data, id: this.#id };
    const hasData = this.#data.length > 0;
    this.#data = [];
    this.#size = 0;
    this.#name = undefined;
    this.#id = undefined;
    return hasData ? event : undefined;
  }
}
