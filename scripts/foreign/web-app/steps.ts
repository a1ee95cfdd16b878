/** Steps of a person in a new web app: each one is an expression that is true once it is done. */

interface Person {
  readonly email: string;
  readonly oneTimePassword: string;
  readonly password: string;
}

export interface Step {
  readonly name: string;
  readonly expression: string;
}

/** Functions that each expression may use. */
const vocabulary = `
const find = (selector, text) =>
  [...document.querySelectorAll(selector)].find((each) => each.textContent.trim().startsWith(text));
const click = (element) => (element && !element.disabled ? (element.click(), true) : false);
const type = (selector, value) => {
  const field = document.querySelector(selector);
  if (field === null) return false;
  field.value = value;
  for (const name of ["input", "change"]) field.dispatchEvent(new Event(name, { bubbles: true }));
  return true;
};
const choose = (selector, name, contentType, text) => {
  const field = document.querySelector(selector);
  if (field === null) return false;
  const files = new DataTransfer();
  files.items.add(new File([text], name, { type: contentType }));
  field.files = files.files;
  field.dispatchEvent(new Event("change", { bubbles: true }));
  return true;
};
const shows = (text) => document.body.innerText.includes(text);
const once = (form) => {
  if (form.dataset.sent) return;
  form.dataset.sent = "yes";
  form.requestSubmit(form.querySelector("button"));
};
`;

/** An expression whose text is "true" once the step is done. */
export function expressionOf({ expression }: Step): string {
  return `(() => { ${vocabulary} return String(Boolean(${expression})); })()`;
}

const planning = "planning-application";
const reference = "PA-2026-9001";
const question = "When does the committee of Quay Street decide?";

/** An expression that signs a new person in at the provider, until another one is true. */
export function signInUntil(isOver: string, { email, oneTimePassword, password }: Person): string {
  const asText = (value: string) => JSON.stringify(value);
  return `(() => {
    if (${isOver}) return true;
    const fresh = document.querySelector("#new-password");
    const known = document.querySelector("#password");
    if (fresh !== null) {
      type("#new-password", ${asText(password)});
      type("#repeated-password", ${asText(password)});
      once(fresh.form);
    } else if (known !== null) {
      type("#email", ${asText(email)});
      type("#password", ${asText(oneTimePassword)});
      once(known.form);
    }
    return false;
  })()`;
}

/** The steps from the sign-in to the sign-out, in order. */
export function stepsOf(person: Person): readonly Step[] {
  const isOver = `document.querySelector("select[aria-label=Workspace]") !== null`;
  return [
    { name: "begin the sign-in", expression: `click(find("button", "Sign in"))` },
    { name: "sign in at the provider", expression: signInUntil(isOver, person) },
    ...inWorkspace,
    ...withRecords,
    ...withDocuments,
    { name: "sign out", expression: `click(find("button", "Sign out"))` },
    {
      name: "be signed out",
      expression: `find("button", "Sign in") && sessionStorage.getItem("refresh token") === null`,
    },
  ];
}

const inWorkspace: readonly Step[] = [
  {
    name: "choose a workspace",
    expression: `(() => {
      const select = document.querySelector("select[aria-label=Workspace]");
      const option = [...select.options].find(({ text }) => text === "Planning");
      return option !== undefined && type("select[aria-label=Workspace]", option.value);
    })()`,
  },
  { name: "open a type", expression: `click(find(".side a", "Planning application"))` },
  {
    name: "see its records",
    expression: `location.hash.endsWith("${planning}") && shows("PA-2026-00")`,
  },
];

const withRecords: readonly Step[] = [
  { name: "begin a record", expression: `click(find(".heading button", "New"))` },
  {
    name: "fill in its form",
    expression: `type("#field-reference", "${reference}") && type("#field-address", "1 Test Street") &&
      type("#field-status", "received") && type("#field-received", "2026-11-20")`,
  },
  { name: "create it", expression: `click(find("dialog button", "Create"))` },
  { name: "see it", expression: `shows("created") && click(find("td button", "${reference}"))` },
  {
    name: "change it and choose a file",
    expression: `type("#field-address", "2 Changed Street") &&
      choose("#field-plans", "plan.pdf", "application/pdf", "%PDF-1.4 small")`,
  },
  { name: "save it", expression: `click(find("dialog button", "Save"))` },
  {
    name: "see the change",
    expression: `shows("saved") && shows("2 Changed Street") && !document.querySelector("dialog") &&
      click(find("td button", "${reference}"))`,
  },
  { name: "see the file", expression: `shows("Now: plan.pdf")` },
  { name: "delete it", expression: `click(find("dialog button", "Delete"))` },
  { name: "confirm", expression: `click(find("dialog.small button", "Delete"))` },
  {
    name: "see it no longer",
    expression: `shows("deleted") && !document.querySelector("[aria-busy]") && !shows("${reference}")`,
  },
];

const withDocuments: readonly Step[] = [
  { name: "open the documents", expression: `click(find(".bar a", "Documents"))` },
  {
    name: "upload a letter",
    expression: `choose("#files", "letter.txt", "text/plain",
      "The committee of Quay Street decides on 18 December 2026.")`,
  },
  { name: "see it read", expression: `shows("Ready") && find("td button", "letter.txt")` },
  { name: "open the chat", expression: `click(find(".bar a", "Chat"))` },
  { name: "write a question", expression: `type(".ask textarea", "${question}")` },
  { name: "ask", expression: `click(find(".ask button", "Ask"))` },
  {
    name: "see the answer with its source",
    expression: `shows("18 December 2026") && click(find(".sources summary", "letter.txt"))`,
  },
];
