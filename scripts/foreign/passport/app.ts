/** A web app that signs its users in with `passport-openidconnect`, which has no PKCE. */
export const appSource = `
import express from "express";
import session from "express-session";
import passport from "passport";
import OpenIDConnectStrategy from "passport-openidconnect";

const { ISSUER, CLIENT_ID, CLIENT_SECRET, PORT } = process.env;
const found = await (await fetch(ISSUER + "/.well-known/openid-configuration")).json();
passport.use(
  new OpenIDConnectStrategy(
    {
      issuer: found.issuer,
      authorizationURL: found.authorization_endpoint,
      tokenURL: found.token_endpoint,
      userInfoURL: found.userinfo_endpoint,
      clientID: CLIENT_ID,
      clientSecret: CLIENT_SECRET,
      callbackURL: "http://localhost:" + PORT + "/auth/callback",
      scope: ["profile", "email"],
    },
    (issuer, profile, done) => done(null, { issuer, emails: profile.emails }),
  ),
);
passport.serializeUser((user, done) => done(null, user));
passport.deserializeUser((user, done) => done(null, user));

const app = express();
app.use(session({ secret: "of a test", resave: false, saveUninitialized: false }));
app.use(passport.session());
app.get("/", ({ user }, response) => {
  const email = user?.emails?.[0]?.value;
  response.send(user ? "<p>signed in as " + email + "</p>" : '<a href="/sign-in">Sign in</a>');
});
app.get("/sign-in", passport.authenticate("openidconnect"));
app.get("/auth/callback", passport.authenticate("openidconnect", { successRedirect: "/" }));
app.use((error, request, response, next) => {
  response.status(500).send("<p>refused: " + error.message + "</p>");
});
app.listen(Number(PORT), "localhost", () => console.log("http://localhost:" + PORT));
`;
