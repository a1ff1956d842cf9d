import "./endpoints.css";

interface Operation {
  readonly summary: string;
  readonly parameters: readonly { readonly in: string; readonly name: string }[];
  readonly requestBody?: {
    readonly content: {
      readonly "application/json"?: { readonly example: unknown; readonly schema: unknown };
      readonly "multipart/form-data"?: {
        readonly schema: { readonly required: readonly [string] };
      };
    };
  };
}

interface OpenApi {
  readonly info: { readonly description: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

type Input = HTMLInputElement | HTMLTextAreaElement;

const [description, endpoints, keyField] = ["description", "endpoints", "key"].map((id) =>
  document.getElementById(id),
);

/** Returns an element. All content is set as text, never as markup. */
function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  properties: Partial<HTMLElementTagNameMap[K]> = {},
  ...children: readonly Node[]
): HTMLElementTagNameMap[K] {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

async function send(
  method: string,
  address: string,
  input: Input | undefined,
  output: HTMLElement,
): Promise<void> {
  const url = new URL(address, location.href);
  const key = keyField instanceof HTMLInputElement ? keyField.value : "";
  url.searchParams.set("apiKey", key);
  const headers: Record<string, string> = { "X-API-KEY": key, "api-key": key };
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

/** Returns the section of an endpoint, with a form that sends a request. */
function section(
  path: string,
  method: string,
  { summary, parameters, requestBody }: Operation,
): HTMLElement {
  const query = parameters.filter((one) => one.in === "query").map(({ name }) => `${name}=`);
  const address = element("input", {
    name: "address",
    value: [path, ...query].join("&").replace("&", "?"),
  });
  const form = element("form", {}, address);
  const { "application/json": json, "multipart/form-data": file } = requestBody?.content ?? {};
  let input: Input | undefined;
  if (json !== undefined) {
    input = element("textarea", { name: "body", value: JSON.stringify(json.example, null, 2) });
    const schema = element("pre", { textContent: JSON.stringify(json.schema, null, 2) });
    form.append(
      input,
      element("details", {}, element("summary", { textContent: "Schema" }), schema),
    );
  } else if (file !== undefined) {
    input = element("input", { type: "file", name: file.schema.required[0] });
    form.append(input);
  }
  const output = element("pre");
  form.append(element("button", { textContent: "Send" }), output);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    send(method, address.value, input, output).catch((error: unknown) => {
      output.textContent = String(error);
    });
  });
  const title = element("summary", { textContent: `${method} ${path}: ${summary}` });
  const made = element("details", {}, title, form);
  made.dataset.endpoint = `${method} ${path}`;
  return made;
}

try {
  const { info, paths } = (await (await fetch("/openapi.json")).json()) as OpenApi;
  description?.append(info.description);
  endpoints?.replaceChildren(
    ...Object.entries(paths).flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, operation]) =>
        section(path, method.toUpperCase(), operation),
      ),
    ),
  );
  document.body.dataset.state = "ready";
} catch (error) {
  endpoints?.replaceChildren(`The description cannot be loaded: ${String(error)}`);
}

export {};
