import { authPath, signInPaths } from "#contract/sign-in.ts";
import { readForm, uniqueFields } from "../../../http/body/urlencoded-form.ts";
import type { Exchange } from "../../../http/exchange.ts";
import type { BrowserSession, SignInService } from "../service.ts";
import type { Browser } from "./browser.ts";
import type { Login, LoginOptions } from "./login.ts";
import {
  approveDeviceContent,
  enterCodeContent,
  messageContent,
  page,
  signOutContent,
} from "./page.ts";

const loginOptions: LoginOptions = { purpose: "Sign in to connect another machine." };
const devicePath = authPath + signInPaths.device;

/** Where a person lets a machine without a browser in (RFC 8628, 3.3), and signs out again. */
export class DevicePages {
  readonly #signIn: SignInService;
  readonly #browser: Browser;
  readonly #login: Login;

  constructor(signIn: SignInService, browser: Browser, login: Login) {
    this.#signIn = signIn;
    this.#browser = browser;
    this.#login = login;
  }

  async device(exchange: Exchange): Promise<Response> {
    const session = await this.#browser.session(exchange);
    if (exchange.method !== "POST") {
      return session === undefined
        ? this.#login.ask(exchange, loginOptions)
        : this.#showCode(exchange, session, {});
    }
    const form = await readForm(exchange.request);
    if (!this.#browser.isOwnForm(exchange, form)) {
      return this.#login.askAgain(exchange, loginOptions);
    }
    const action = form.get("action");
    if (action === "cancel") {
      return page("Nothing was changed", messageContent("You may close this page."));
    }
    if (action === "approve" || action === "deny") {
      return session === undefined
        ? this.#login.ask(exchange, loginOptions)
        : this.#decide(exchange, session, action === "approve");
    }
    const step = await this.#login.take(exchange, form, loginOptions);
    if (step.response !== undefined) return step.response;
    const headers = await this.#browser.startSession(exchange, step.session);
    return this.#showCode(exchange, step.session, headers);
  }

  /** Ends the browser's session, when its person says so. */
  async signOut(exchange: Exchange): Promise<Response> {
    const over = messageContent("This browser is signed out. You may close this page.");
    const session = await this.#browser.session(exchange);
    if (session === undefined) return page("Signed out", over);
    if (exchange.method === "POST") {
      const form = await readForm(exchange.request);
      if (this.#browser.isOwnForm(exchange, form)) {
        return page("Signed out", over, { headers: await this.#browser.endSession(exchange) });
      }
    }
    const opened = this.#browser.openForm(exchange);
    return page("Sign out", signOutContent(opened.target, session.user.email), {
      headers: opened.headers,
    });
  }

  async #showCode(
    exchange: Exchange,
    session: BrowserSession,
    headers: Readonly<Record<string, string>>,
  ): Promise<Response> {
    const typed = typedCode(exchange);
    if (typed === "") {
      return page("Connect a machine", enterCodeContent(devicePath, { typed }), { headers });
    }
    const device = await this.#signIn.devices.find(typed);
    if (device === undefined) return unknownCode(typed, headers);
    const opened = this.#browser.openForm(exchange);
    const content = approveDeviceContent(opened.target, {
      userCode: device.user_code,
      email: session.user.email,
    });
    return page("Connect a machine", content, { headers: { ...opened.headers, ...headers } });
  }

  async #decide(
    exchange: Exchange,
    session: BrowserSession,
    isApproved: boolean,
  ): Promise<Response> {
    const typed = typedCode(exchange);
    const device = await this.#signIn.devices.find(typed);
    const isDecided =
      device !== undefined &&
      (await this.#signIn.devices.decide(device, {
        isApproved,
        oid: session.user.oid,
        signedInAt: session.signedInAt,
      }));
    if (!isDecided) return unknownCode(typed, {});
    return isApproved
      ? page("The machine is signed in", messageContent("You may close this page."))
      : page("The machine was refused", messageContent("You may close this page."));
  }
}

function typedCode(exchange: Exchange): string {
  const fields = uniqueFields(new URLSearchParams(exchange.search));
  return (fields.get("user_code") ?? "").trim().slice(0, 20);
}

function unknownCode(typed: string, headers: Readonly<Record<string, string>>): Response {
  const fault = "This code is not known, or its time is over.";
  return page("Connect a machine", enterCodeContent(devicePath, { typed, fault }), {
    status: 404,
    headers,
  });
}
