const STYLE = `
:root { color-scheme: light dark; --line: #8884; --faint: #777; --accent: #2563eb; }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; margin: 0; } h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; }
p { margin: .3rem 0; } .faint { color: var(--faint); }
details { border: 1px solid var(--line); border-radius: 6px; margin: .4rem 0; }
summary { cursor: pointer; padding: .5rem .8rem; display: flex; gap: .8rem; align-items: baseline; }
summary code { font-weight: 600; white-space: nowrap; } summary span { color: var(--faint); }
.method { font: 600 .8rem ui-monospace, monospace; width: 3rem; color: var(--accent); }
form { padding: .3rem .8rem .8rem; display: grid; gap: .5rem; }
label { display: grid; grid-template-columns: 12rem 1fr; gap: .6rem; align-items: start; }
input, textarea, button { font: inherit; } input, textarea { padding: .25rem .4rem; width: 100%; box-sizing: border-box; }
textarea, pre { font: 13px/1.4 ui-monospace, monospace; }
textarea { min-height: 9rem; } button { justify-self: start; padding: .25rem 1rem; }
pre { border: 1px solid var(--line); border-radius: 6px; padding: .6rem; margin: 0; overflow: auto; max-height: 24rem; white-space: pre-wrap; }
`;

// Runs in the browser. Everything that is shown is set as text, never as markup.
const SCRIPT = `
const element = (name, properties = {}, ...children) => {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
};
const field = (label, input) => element("label", {}, element("span", { textContent: label }), input);
const keyInput = document.getElementById("key");

async function send(path, method, operation, schemes, inputs, output) {
  let target = path;
  const query = new URLSearchParams();
  const headers = {};
  for (const { parameter, input } of inputs.parameters) {
    if (parameter.in === "path") target = target.replace("{" + parameter.name + "}", encodeURIComponent(input.value));
    else if (input.value !== "") query.set(parameter.name, input.value);
  }
  for (const requirement of operation.security ?? []) {
    for (const name of Object.keys(requirement)) {
      if (schemes[name].in === "query") query.set(name, keyInput.value);
      else headers[name] = keyInput.value;
    }
  }
  let body;
  if (inputs.file) {
    body = new FormData();
    if (inputs.file.files[0]) body.set(inputs.file.name, inputs.file.files[0]);
  } else if (inputs.body) {
    headers["content-type"] = "application/json";
    body = inputs.body.value;
  }
  const started = performance.now();
  try {
    const suffix = query.size === 0 ? "" : "?" + query;
    const reply = await fetch(target + suffix, { method, headers, body });
    const text = await reply.text();
    let shown = text;
    try { shown = JSON.stringify(JSON.parse(text), null, 2); } catch { /* text as it came */ }
    output.textContent = reply.status + " " + reply.statusText + "  (" + Math.round(performance.now() - started) + " ms)\\n\\n" + shown;
  } catch (error) {
    output.textContent = "No answer: " + error.message;
  }
  output.dataset.state = "done";
  output.hidden = false;
}

function endpoint(path, method, operation, schemes) {
  const inputs = { parameters: [] };
  const form = element("form");
  for (const parameter of operation.parameters ?? []) {
    const input = element("input", { name: parameter.name, required: parameter.required, placeholder: parameter.description ?? "" });
    inputs.parameters.push({ parameter, input });
    form.append(field(parameter.name + " (" + parameter.in + ")", input));
  }
  const content = operation.requestBody?.content ?? {};
  if (content["multipart/form-data"]) {
    const [name] = Object.keys(content["multipart/form-data"].schema.properties);
    inputs.file = element("input", { type: "file", name });
    form.append(field(name + " (file)", inputs.file));
  } else if (content["application/json"]) {
    const example = content["application/json"].example ?? {};
    inputs.body = element("textarea", { name: "body", value: JSON.stringify(example, null, 2), spellcheck: false });
    form.append(field("body (JSON)", inputs.body));
    const schema = element("pre", { textContent: JSON.stringify(content["application/json"].schema, null, 2) });
    form.append(element("details", {}, element("summary", { textContent: "Schema" }), schema));
  }
  const output = element("pre", { hidden: true });
  form.append(element("button", { textContent: "Send" }), output);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    send(path, method.toUpperCase(), operation, schemes, inputs, output);
  });
  const isOptional = operation.security?.some((scheme) => Object.keys(scheme).length === 0);
  const key = !operation.security ? "" : isOptional ? "  · may need the key" : "  · needs the key";
  const summary = element("summary", {},
    element("div", { className: "method", textContent: method.toUpperCase() }),
    element("code", { textContent: path }),
    element("span", { textContent: operation.summary + key }));
  const made = element("details", {}, summary, form);
  made.dataset.endpoint = method.toUpperCase() + " " + path;
  return made;
}

fetch("/openapi.json").then((reply) => reply.json()).then((description) => {
  document.getElementById("description").textContent = description.info.description;
  const sections = new Map();
  for (const [path, operations] of Object.entries(description.paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      const [tag] = operation.tags;
      if (!sections.has(tag)) sections.set(tag, element("section", {}, element("h2", { textContent: tag })));
      sections.get(tag).append(endpoint(path, method, operation, description.components.securitySchemes));
    }
  }
  document.getElementById("endpoints").replaceChildren(...sections.values());
  document.body.dataset.state = "ready";
}).catch((error) => {
  document.getElementById("endpoints").textContent = "The description cannot be loaded: " + error.message;
});
`;

/** A page of its own, without anything from elsewhere: it lists what /openapi.json describes, and sends requests. */
export const SWAGGER_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>hardhat-hdp local front</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
</head>
<body>
<h1>hardhat-hdp local front</h1>
<p id="description" class="faint"></p>
<p class="faint">The same as a document: <a href="/openapi.json">/openapi.json</a></p>
<label>API key, sent where one is needed <input id="key" value="local" autocomplete="off"></label>
<main id="endpoints">Loading…</main>
<script>${SCRIPT}</script>
</body>
</html>
`;
