import * as oauth from "oauth4webapi";

export const client: oauth.Client = { client_id: "svc" };
export const redirectUri = "http://127.0.0.1:49152/callback";
export const scope = "openid profile email offline_access";

export type Fetch = (request: Request) => Promise<Response>;

/** The client of an app that a workspace has registered; by default the command's. */
export interface Registered {
  readonly client: oauth.Client;
  readonly authentication: oauth.ClientAuth;
  readonly redirectUri: string;
}

/** A strict third-party OAuth client of one platform. */
export class StrictClient {
  private constructor(
    private readonly fetchPage: Fetch,
    readonly server: oauth.AuthorizationServer,
    private readonly own: Registered,
  ) {}

  static async discover(
    origin: string,
    fetchPage: Fetch,
    own: Registered = { client, authentication: oauth.None(), redirectUri },
  ): Promise<StrictClient> {
    const issuer = new URL(`${origin}/auth`);
    const response = await oauth.discoveryRequest(issuer, optionsFor(fetchPage));
    return new StrictClient(fetchPage, await oauth.processDiscoveryResponse(issuer, response), own);
  }

  get options() {
    return optionsFor(this.fetchPage);
  }

  /** The address to open in a browser, with the client's own secrets. */
  async begin(change: Readonly<Record<string, string>> = {}) {
    const verifier = oauth.generateRandomCodeVerifier();
    const state = oauth.generateRandomState();
    const nonce = oauth.generateRandomNonce();
    const address = new URL(String(this.server.authorization_endpoint));
    const parameters = {
      client_id: this.own.client.client_id,
      redirect_uri: this.own.redirectUri,
      response_type: "code",
      scope,
      state,
      nonce,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
      ...change,
    };
    address.search = new URLSearchParams(parameters).toString();
    return { address, verifier, state, nonce };
  }

  /** Exchanges the code of the redirect. */
  async finish(
    came: URL,
    begun: { readonly verifier: string; readonly state: string; readonly nonce: string },
  ): Promise<oauth.TokenEndpointResponse> {
    const parameters = oauth.validateAuthResponse(this.server, this.own.client, came, begun.state);
    const response = await oauth.authorizationCodeGrantRequest(
      this.server,
      this.own.client,
      this.own.authentication,
      parameters,
      this.own.redirectUri,
      begun.verifier,
      this.options,
    );
    const tokens = await oauth.processAuthorizationCodeResponse(
      this.server,
      this.own.client,
      response,
      {
        expectedNonce: begun.nonce,
        requireIdToken: true,
      },
    );
    await oauth.validateApplicationLevelSignature(this.server, response, this.options);
    return tokens;
  }

  async refresh(refreshToken: string | undefined): Promise<oauth.TokenEndpointResponse> {
    const response = await oauth.refreshTokenGrantRequest(
      this.server,
      this.own.client,
      this.own.authentication,
      String(refreshToken),
      this.options,
    );
    return oauth.processRefreshTokenResponse(this.server, this.own.client, response);
  }

  async revoke(token: string): Promise<void> {
    const response = await oauth.revocationRequest(
      this.server,
      this.own.client,
      this.own.authentication,
      token,
      this.options,
    );
    await oauth.processRevocationResponse(response);
  }

  async isAccepted(accessToken: string): Promise<boolean> {
    const origin = new URL(this.server.issuer).origin;
    const headers = { authorization: `Bearer ${accessToken}` };
    const response = await this.fetchPage(new Request(`${origin}/v4/identity/me`, { headers }));
    return response.status === 200;
  }
}

function optionsFor(fetchPage: Fetch) {
  return {
    [oauth.allowInsecureRequests]: true,
    [oauth.customFetch]: (address: string, init: RequestInit) =>
      fetchPage(new Request(address, init)),
  };
}
