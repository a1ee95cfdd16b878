import { Html, html, noHtml } from "#lib/text/html.ts";
import { joined } from "./layout.ts";

/** A parameter of a route. */
export interface Parameter {
  readonly name: string;
  /** One of `path`, `query` and `header`. */
  readonly place: string;
  readonly isRequired: boolean;
  readonly description: string;
  readonly schema: unknown;
}

/** A form that sends the request from the reader's browser; the script shows it. */
export function tryForm(route: {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly parameters: readonly Parameter[];
  readonly contentType: string | undefined;
  readonly example: string | undefined;
}): Html {
  const { id, method, path, summary, parameters, contentType, example } = route;
  const fields = parameters.map((parameter) => field(id, parameter));
  return html`<details class="try" hidden>
    <summary>Try it<span class="unseen">: ${summary}</span></summary>
    <form data-method="${method}" data-path="${path}" data-type="${contentType ?? ""}">
      ${joined(fields)} ${bodyField(id, contentType, example)}
      <button>Send ${method}</button>
      <div class="answer" role="status"></div>
      <pre class="output" tabindex="0" role="group" aria-label="Response" hidden></pre>
    </form>
  </details>`;
}

function field(id: string, { name, place, isRequired }: Parameter): Html {
  const input = `${id}-${place}-${name}`;
  const need = isRequired ? new Html(" required") : noHtml;
  return html`<div class="field">
    <label for="${input}">${name} <span class="limits">${place}</span></label>
    <input id="${input}" data-place="${place}" data-name="${name}" autocomplete="off" ${need} />
  </div>`;
}

function bodyField(id: string, contentType: string | undefined, example: string | undefined): Html {
  if (contentType === undefined) return noHtml;
  if (contentType === "application/json") {
    return html`<div class="field">
      <label for="${id}-body">Body</label>
      <textarea id="${id}-body" data-place="body" rows="8" spellcheck="false">
${example ?? "{}"}</textarea>
    </div>`;
  }
  const fields =
    contentType === "multipart/form-data"
      ? html`<div class="field">
          <label for="${id}-form">Form fields, one name=value per line</label>
          <textarea id="${id}-form" data-place="form" rows="4" spellcheck="false"></textarea>
        </div>`
      : noHtml;
  return html`${fields}
    <div class="field">
      <label for="${id}-file">File</label>
      <input id="${id}-file" data-place="file" type="file" required />
    </div>`;
}
