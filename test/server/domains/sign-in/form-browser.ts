import { Parser } from "htmlparser2";

const challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
const redirectUri = "http://127.0.0.1:49152/callback";

interface Form {
  action: string;
  method: string;
  readonly hidden: Record<string, string>;
  readonly buttons: string[];
}

/** A page as a text browser has it: forms and links, no scripts. */
export interface Visited {
  readonly status: number;
  readonly headers: Headers;
  readonly title: string;
  /** The visible text of the page. */
  readonly text: string;
  readonly html: string;
  readonly forms: readonly Form[];
  readonly links: readonly string[];
  /** The redirect's address: the client's own one at the end of a sign-in. */
  readonly left: URL | undefined;
}

/** A minimal browser: it keeps cookies and sends the forms of its page. */
export class FormBrowser {
  readonly #cookies = new Map<string, string>();
  readonly #origin: string;
  readonly #fetch: (request: Request) => Promise<Response>;
  #page: Visited | undefined;
  #address = "";

  constructor(origin: string, fetchPage: (request: Request) => Promise<Response>) {
    this.#origin = origin;
    this.#fetch = fetchPage;
  }

  get page(): Visited {
    if (this.#page === undefined) throw new Error("no page has been visited");
    return this.#page;
  }

  get cookies(): ReadonlyMap<string, string> {
    return this.#cookies;
  }

  visit(address: string | URL): Promise<Visited> {
    return this.#load(new Request(new URL(address, this.#origin).href, { redirect: "manual" }));
  }

  /** Presses the button with this value and sends its form with these fields. */
  press(
    button: string,
    fields: Readonly<Record<string, string>> = {},
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Visited> {
    const form = this.page.forms.find(({ buttons }) => buttons.includes(button));
    if (form === undefined) throw new Error(`no button ${button} on "${this.page.title}"`);
    const values = new URLSearchParams({ ...form.hidden, ...fields });
    if (button !== "") values.set("action", button);
    const address = new URL(form.action, this.#address);
    if (form.method === "get") {
      address.search = values.toString();
      return this.visit(address);
    }
    return this.#load(
      new Request(address.href, {
        method: "POST",
        headers: { origin: this.#origin, ...headers },
        body: values,
        redirect: "manual",
      }),
    );
  }

  async #load(request: Request): Promise<Visited> {
    const cookies = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    if (cookies !== "") request.headers.set("cookie", cookies);
    this.#address = request.url;
    const response = await this.#fetch(request);
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/max-age=0/i.test(line)) this.#cookies.delete(name);
      else this.#cookies.set(name, value);
    }
    const location = response.headers.get("location");
    const target = location === null ? undefined : new URL(location, request.url);
    const html = await response.text();
    this.#page = {
      status: response.status,
      headers: response.headers,
      html,
      left: target,
      ...parsed(html),
    };
    return this.#page;
  }
}

function parsed(html: string): Pick<Visited, "title" | "text" | "forms" | "links"> {
  const forms: Form[] = [];
  const links: string[] = [];
  const text: string[] = [];
  let title = "";
  let element = "";
  const parser = new Parser({
    onopentag(
      name,
      { action = "", method = "get", type, value = "", name: field = "", href = "" },
    ) {
      element = name;
      if (name === "form") forms.push({ action, method, hidden: {}, buttons: [] });
      if (name === "a") links.push(href);
      const form = forms.at(-1);
      if (form === undefined) return;
      if (name === "input" && type === "hidden") form.hidden[field] = value;
      if (name === "button") form.buttons.push(value);
    },
    ontext(part) {
      if (element === "title") title += part;
      else if (element !== "style") text.push(part.trim());
    },
    onclosetag() {
      element = "";
    },
  });
  parser.end(html);
  return { title, text: text.filter((part) => part !== "").join(" "), forms, links };
}

/** The address at which a client starts a sign-in; `undefined` leaves a parameter out. */
export function authorizeAddress(
  change: Readonly<Record<string, string | undefined>> = {},
): string {
  const parameters = Object.entries({
    client_id: "svc",
    redirect_uri: redirectUri,
    response_type: "code",
    scope: "openid offline_access",
    state: "a-state",
    code_challenge: challenge,
    code_challenge_method: "S256",
    ...change,
  }).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return `/auth/oauth2/v2.0/authorize?${new URLSearchParams(parameters).toString()}`;
}
