import { authPath, signInPaths } from "#contract/access/sign-in.ts";
import { readForm, uniqueFields } from "../../../http/body/urlencoded-form.ts";
import type { Exchange } from "../../../http/exchange.ts";
import type { BrowserSession, SignInService } from "../service.ts";
import type { Browser } from "./browser.ts";
import type { Login, LoginOptions } from "./login.ts";
import { approveDeviceContent, enterCodeContent, messagePage, page } from "./page.ts";

const loginOptions: LoginOptions = { purpose: "Sign in to connect another machine." };
const devicePath = authPath + signInPaths.device;
const closePage = "You may close this page.";

/** The pages that sign in a machine without a browser (RFC 8628, 3.3). */
export class DevicePages {
  constructor(
    private readonly signIn: SignInService,
    private readonly browser: Browser,
    private readonly login: Login,
  ) {}

  async device(exchange: Exchange): Promise<Response> {
    const session = await this.browser.session(exchange);
    if (exchange.method !== "POST") {
      return session === undefined
        ? this.login.ask(exchange, loginOptions)
        : this.#showCode(exchange, session, {});
    }
    const form = await readForm(exchange.request);
    if (!this.browser.isOwnForm(exchange, form)) return this.login.askAgain(exchange, loginOptions);
    const action = form.get("action");
    if (action === "cancel") return messagePage("Nothing was changed", closePage);
    if (action === "approve" || action === "deny") {
      return session === undefined
        ? this.login.ask(exchange, loginOptions)
        : this.#decide(exchange, session, action === "approve");
    }
    const step = await this.login.take(exchange, form, loginOptions);
    if (step.response !== undefined) return step.response;
    const headers = await this.browser.startSession(exchange, step.session);
    return this.#showCode(exchange, step.session, headers);
  }

  async #showCode(
    exchange: Exchange,
    session: BrowserSession,
    headers: Readonly<Record<string, string>>,
  ): Promise<Response> {
    const typed = typedCode(exchange);
    if (typed === "") {
      return page("Connect a machine", enterCodeContent(devicePath, typed), { headers });
    }
    const device = await this.signIn.devices.find(typed);
    if (device === undefined) return unknownCode(typed, headers);
    const opened = this.browser.openForm(exchange);
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
    const { devices } = this.signIn;
    const device = await devices.find(typed);
    const { user, signedInAt } = session;
    const decision = { isApproved, oid: user.oid, signedInAt };
    if (device === undefined || !(await devices.decide(device, decision))) {
      return unknownCode(typed, {});
    }
    const title = isApproved ? "The machine is signed in" : "The machine was refused";
    return messagePage(title, closePage);
  }
}

function typedCode(exchange: Exchange): string {
  const fields = uniqueFields(new URLSearchParams(exchange.search));
  return (fields.get("user_code") ?? "").trim().slice(0, 20);
}

function unknownCode(typed: string, headers: Readonly<Record<string, string>>): Response {
  const content = enterCodeContent(devicePath, typed, "This code is unknown or has expired.");
  return page("Connect a machine", content, { status: 404, headers });
}
