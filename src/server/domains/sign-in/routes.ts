import { Refusal } from "#contract/problems.ts";
import { authPath, signInPaths } from "#contract/access/sign-in.ts";
import { FormError } from "../../http/body/urlencoded-form.ts";
import { bearerToken } from "../../http/request-headers.ts";
import { unauthenticated } from "../../http/pipeline-refusals.ts";
import type { Exchange } from "../../http/exchange.ts";
import { RateLimiter } from "../../http/rates/rate-limiter.ts";
import type { RequestCounts } from "../../kit/turns/request-counts.ts";
import { discoveryDocument } from "./discovery.ts";
import { AuthorizeEndpoint } from "./pages/authorize.ts";
import { Browser } from "./pages/browser.ts";
import { DevicePages } from "./pages/device-pages.ts";
import { FactorAccountPages } from "./pages/factor-account.ts";
import { FactorPages, type RecordPage } from "./pages/factor-step.ts";
import { InvitationPages } from "./pages/invitation-pages.ts";
import { Login } from "./pages/login.ts";
import { messagePage } from "./pages/page.ts";
import { PasswordPages } from "./pages/password-pages.ts";
import { SignOutPage } from "./pages/sign-out.ts";
import type { SignInService } from "./service.ts";
import { TokenEndpoints } from "./pages/token-endpoints.ts";

type Answer = (exchange: Exchange) => Promise<Response> | Response;

interface Address {
  readonly methods: readonly string[];
  /** Addresses at which secrets can be guessed are limited; documents are not. */
  readonly isCounted: boolean;
  /** A success proves who the caller is, so that it is no guess and does not count. */
  readonly isProof?: boolean;
  readonly answer: Answer;
}

/** The platform as its own OpenID provider, at `{base_url}/auth`. */
export class OpenIdProvider {
  readonly #rates: RateLimiter;
  readonly #addresses: ReadonlyMap<string, Address>;

  constructor(
    private readonly signIn: SignInService,
    counts: RequestCounts,
    record: RecordPage,
  ) {
    this.#rates = new RateLimiter({
      name: "sign-in",
      counts,
      requests: signIn.limits.signInRequests,
      windowSeconds: signIn.limits.signInWindowSeconds,
      now: () => signIn.now().getTime(),
    });
    const browser = new Browser(signIn);
    const factors = new FactorPages(signIn, browser, record);
    const login = new Login(signIn, browser, factors);
    const authorize = new AuthorizeEndpoint(signIn, browser, login);
    const tokens = new TokenEndpoints(signIn);
    const pages = new DevicePages(signIn, browser, login);
    const account = new FactorAccountPages(signIn, browser, login, factors);
    const invitations = new InvitationPages(signIn, browser, login);
    const passwords = new PasswordPages(signIn, browser, login, record);
    const signOut = new SignOutPage(signIn, browser);
    const document = (answer: Answer): Address => ({ methods: ["GET"], isCounted: false, answer });
    const form = (answer: Answer): Address => ({
      methods: ["GET", "POST"],
      isCounted: true,
      answer,
    });
    const endpoint = (answer: Answer): Address => ({ methods: ["POST"], isCounted: true, answer });
    const proof = (address: Address): Address => ({ ...address, isProof: true });
    this.#addresses = new Map(
      Object.entries({
        [signInPaths.discovery]: document(({ baseUrl }) => published(discoveryDocument(baseUrl))),
        [signInPaths.keys]: document(async () => published(await signIn.tokens.keys.published())),
        [signInPaths.authorize]: proof(form((exchange) => authorize.answer(exchange))),
        [signInPaths.token]: proof(endpoint((exchange) => tokens.token(exchange))),
        [signInPaths.deviceAuthorization]: endpoint((exchange) =>
          tokens.deviceAuthorization(exchange),
        ),
        [signInPaths.device]: form((exchange) => pages.device(exchange)),
        [signInPaths.invitation]: form((exchange) => invitations.answer(exchange)),
        [signInPaths.factors]: form((exchange) => account.answer(exchange)),
        [signInPaths.password]: form((exchange) => passwords.answer(exchange)),
        [signInPaths.revocation]: endpoint((exchange) => tokens.revocation(exchange)),
        [signInPaths.registration]: endpoint((exchange) => tokens.registration(exchange)),
        [signInPaths.userInfo]: form((exchange) => this.#userInfo(exchange)),
        [signInPaths.endSession]: form((exchange) => signOut.answer(exchange)),
      }),
    );
  }

  /** The response to a request below `/auth`; undefined for every other path. */
  answer(exchange: Exchange): Promise<Response> | undefined {
    const { path } = exchange;
    if (!path.startsWith(authPath)) return undefined;
    if (path !== authPath && path.charAt(authPath.length) !== "/") return undefined;
    return this.#answer(exchange, path.slice(authPath.length));
  }

  async #answer(exchange: Exchange, path: string): Promise<Response> {
    const address = this.#addresses.get(path);
    if (address === undefined) throw new Refusal("route-not-found");
    const method = exchange.method === "HEAD" ? "GET" : exchange.method;
    if (!address.methods.includes(method)) {
      throw new Refusal("method-not-allowed", { headers: { allow: address.methods.join(", ") } });
    }
    if (address.isCounted) await this.#rates.take(exchange.network, exchange.responseFields);
    try {
      const response = await address.answer(exchange);
      const isProven = response.status < 400 && method === "POST";
      if (address.isProof === true && isProven) await this.#rates.giveBack(exchange.network);
      return response;
    } catch (error) {
      if (!(error instanceof FormError)) throw error;
      return messagePage("This form cannot be read", "Please go back and try again.", {
        status: 400,
      });
    }
  }

  /** The UserInfo endpoint (OpenID Connect Core, 5.3). */
  async #userInfo(exchange: Exchange): Promise<Response> {
    const token = bearerToken(exchange);
    if (token === undefined) throw unauthenticated();
    const { oid, email, displayName } = await this.signIn.tokens.verify(token);
    return Response.json(
      { sub: oid, oid, email, name: displayName },
      { headers: { "cache-control": "no-store" } },
    );
  }
}

/** A public document, the same for every client. */
function published(body: unknown): Response {
  return Response.json(body, { headers: { "cache-control": "public, max-age=300" } });
}
