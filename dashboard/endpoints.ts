import "./endpoints.css";

interface Parameter {
  readonly in: string;
  readonly name: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema?: { readonly default?: unknown };
}

interface Content {
  readonly schema?: Schema;
  readonly example?: unknown;
}

interface Operation {
  readonly summary: string;
  readonly tags: readonly string[];
  readonly parameters: readonly Parameter[];
  readonly requestBody?: {
    readonly content: {
      readonly "application/json"?: Content;
      readonly "multipart/form-data"?: {
        readonly schema: { readonly required: readonly [string] };
      };
    };
  };
  readonly responses: Readonly<
    Record<
      string,
      { readonly description: string; readonly content?: Readonly<Record<string, Content>> }
    >
  >;
}

interface OpenApi {
  readonly info: { readonly description: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

type Input = HTMLInputElement | HTMLTextAreaElement;

/** What a form sends. */
interface Sent {
  readonly method: string;
  readonly path: string;
  readonly fields: readonly { readonly parameter: Parameter; readonly input: HTMLInputElement }[];
  readonly body: Input | undefined;
}

const [description, endpoints, keyField] = ["description", "endpoints", "key"].map((id) =>
  document.getElementById(id),
);

/** Returns an element. All content is set as text, never as markup. */
function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  properties: Partial<HTMLElementTagNameMap[K]> = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

/** Returns the address of a request. Fields of the query that are empty are left out. */
function fillAddress({ path, fields }: Sent): URL {
  let filled = path;
  for (const { parameter, input } of fields) {
    if (parameter.in === "path")
      filled = filled.replace(`{${parameter.name}}`, encodeURIComponent(input.value));
  }
  const url = new URL(filled, location.href);
  for (const { parameter, input } of fields) {
    if (parameter.in === "query" && input.value !== "")
      url.searchParams.set(parameter.name, input.value);
  }
  return url;
}

async function send(sent: Sent, output: HTMLElement): Promise<void> {
  const url = fillAddress(sent);
  const key = keyField instanceof HTMLInputElement ? keyField.value : "";
  url.searchParams.set("apiKey", key);
  const headers: Record<string, string> = { "X-API-KEY": key, "api-key": key };
  const { method, body: input } = sent;
  let body: FormData | string | undefined;
  if (input instanceof HTMLInputElement) {
    body = new FormData();
    const [file] = input.files ?? [];
    if (file !== undefined) body.set(input.name, file);
  } else if (input !== undefined) {
    headers["content-type"] = "application/json";
    body = input.value;
  }
  const reply = await fetch(url, { method, headers, ...(body === undefined ? {} : { body }) });
  output.textContent = `${String(reply.status)} ${reply.statusText}\n\n${indented(await reply.text())}`;
  output.dataset.state = "done";
}

function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** Returns a block of text that scrolls, by the keyboard too. */
function block(text: string, label: string): HTMLPreElement {
  const made = element("pre", { textContent: text, tabIndex: 0 });
  made.setAttribute("role", "group");
  made.setAttribute("aria-label", label);
  return made;
}

/** Returns the section of an endpoint, with a form that sends a request. */
function section(path: string, method: string, operation: Operation): HTMLElement {
  const { summary, parameters, requestBody } = operation;
  const name = `${method} ${path}`;
  const form = element("form");
  const fields = parameters.map((parameter) => {
    const { name: text, required = false, schema } = parameter;
    const input = element("input", { name: text, required, spellcheck: false });
    input.value = typeof schema?.default === "number" ? String(schema.default) : "";
    const hint = parameter.description ?? (parameter.in === "path" ? "part of the path" : "");
    form.append(
      element("label", {}, element("code", {}, text), hint === "" ? "" : ` ${hint}`, input),
    );
    return { parameter, input };
  });
  const body = bodyInput(requestBody, form);
  const output = block("", `Reply to ${name}`);
  output.hidden = true;
  form.append(element("button", { textContent: "Send" }), output);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    output.hidden = false;
    send({ method, path, fields, body }, output).catch((error: unknown) => {
      output.textContent = String(error);
    });
  });
  const id = name
    .replaceAll(/[^\w]+/g, "-")
    .replace(/-$/, "")
    .toLowerCase();
  const title = element("summary", {}, element("code", {}, name), ` ${summary}`);
  const link = element("a", { href: `#${id}`, textContent: `Link to ${name}` });
  const made = element(
    "details",
    { id },
    title,
    element("p", {}, link),
    form,
    responses(operation),
  );
  made.dataset.endpoint = name;
  return made;
}

/** Appends the field of a body to a form, and returns it; undefined without a body. */
function bodyInput(
  requestBody: Operation["requestBody"],
  form: HTMLFormElement,
): Input | undefined {
  const { "application/json": json, "multipart/form-data": file } = requestBody?.content ?? {};
  if (json !== undefined) {
    const input = element("textarea", { name: "body", spellcheck: false });
    input.value = JSON.stringify(json.example, null, 2);
    const schema = block(JSON.stringify(json.schema, null, 2), "Schema of the body");
    form.append(
      element("label", {}, "Body, JSON", input),
      element("details", {}, element("summary", { textContent: "Schema of the body" }), schema),
    );
    return input;
  }
  if (file === undefined) return undefined;
  const input = element("input", { type: "file", name: file.schema.required[0] });
  form.append(element("label", {}, "File ", element("code", {}, input.name), input));
  return input;
}

/** The part of a JSON Schema that an example is made of. */
interface Schema {
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
}

/** Examples of the types without parts. */
const PLAIN: Readonly<Record<string, unknown>> = {
  string: "text",
  integer: 1,
  number: 1,
  boolean: true,
  null: null,
};

/** Returns a value of a schema's form. */
function exampleOf(schema: Schema): unknown {
  const { items, properties, additionalProperties: others } = schema;
  const [given] = [schema.const, schema.default, schema.enum?.[0]].filter(
    (one) => one !== undefined,
  );
  if (given !== undefined) return given;
  const [form] = schema.anyOf ?? [];
  if (form !== undefined) return exampleOf(form);
  if (items !== undefined) return [exampleOf(items)];
  if (properties !== undefined) {
    const members = Object.entries(properties);
    return Object.fromEntries(members.map(([name, member]) => [name, exampleOf(member)]));
  }
  if (typeof others === "object") return { name: exampleOf(others) };
  const [type = ""] = [schema.type ?? "object"].flat();
  return type in PLAIN ? PLAIN[type] : {};
}

/** Returns the replies that an endpoint gives, with their schemas and examples. */
function responses({ responses: replies }: Operation): HTMLElement {
  const items = Object.entries(replies).flatMap(
    ([status, { description: about, content = {} }]) => [
      element("p", {}, element("strong", {}, status), ` ${about}`),
      ...Object.entries(content).flatMap(([type, { schema }]) =>
        [
          ["Schema", schema],
          ["Example", schema === undefined ? undefined : exampleOf(schema)],
        ].flatMap(([what, value]) => {
          if (value === undefined) return [];
          const label = `${String(what)} of ${status}, ${type}`;
          const text = block(JSON.stringify(value, null, 2), label);
          return [element("details", {}, element("summary", { textContent: label }), text)];
        }),
      ),
    ],
  );
  return element("section", {}, element("h3", { textContent: "Replies" }), ...items);
}

/** Opens the endpoint that the address names. */
function openNamed(): void {
  const named = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!(named instanceof HTMLDetailsElement)) return;
  named.open = true;
  named.scrollIntoView();
}

try {
  const { info, paths } = (await (await fetch("/openapi.json")).json()) as OpenApi;
  description?.append(info.description);
  const groups = new Map<string, HTMLElement>();
  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      const [tag = ""] = operation.tags;
      const title = tag.charAt(0).toUpperCase() + tag.slice(1);
      const group = groups.get(tag) ?? element("section", {}, element("h2", {}, title));
      groups.set(tag, group);
      group.append(section(path, method.toUpperCase(), operation));
    }
  }
  endpoints?.replaceChildren(...groups.values());
  document.body.dataset.state = "ready";
  openNamed();
  addEventListener("hashchange", openNamed);
} catch (error) {
  endpoints?.replaceChildren(`The description cannot be loaded: ${String(error)}`);
}

export {};
