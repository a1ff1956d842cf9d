import { expect } from "chai";

import { type Route, textReply } from "../../src/dev-server/route.js";
import { openParts, type ServerParts } from "../../src/dev-server/server.js";
import { endpointCall, type EndpointRow, ENDPOINTS } from "../../src/service/endpoints.js";

describe("development server: routes", () => {
  const unused = (): never => {
    throw new Error("nothing is served");
  };
  const processor = { submit: unused, wait: unused, results: unused };
  let parts: ServerParts;
  let routes: readonly Route[];
  // Made in a hook and not while the file is loaded, so that a changed source is made anew.
  beforeEach(() => {
    parts = openParts({ processor, providerFor: unused });
    ({ routes } = parts);
  });
  afterEach(async () => {
    await parts.close();
  });

  const rows = Object.entries<EndpointRow>(ENDPOINTS);

  it("serves each endpoint of src/service/endpoints.ts once, by the table of one file of src/dev-server", () => {
    expect(routes.map(({ method, path }) => `${method} ${path}`)).to.have.members(
      rows.map(([name]) => name),
      "add the endpoint's row to src/service/endpoints.ts and its handler to a table of publishedRoutes, then run `npm run schema`",
    );
  });

  it("takes interface and key of each route from its row, and names no key where none is needed", () => {
    for (const { method, path, key, keyNeeded, interface: name } of routes) {
      const row = rows.find(([one]) => one === `${method} ${path}`)?.[1];
      expect([name, keyNeeded]).to.deep.equal([row?.interface, row?.keyNeeded]);
      expect(key).to.equal(row?.keyNeeded === "never" ? undefined : row?.key);
    }
  });

  it("matches the path that a client's call to it has, and no longer or shorter one", () => {
    const call = endpointCall("GET /tasks/{uuid}/status", "id");
    const route = routes.find(({ path }) => path === "/tasks/{uuid}/status");
    expect(route?.pattern.exec(`/${call.path.join("/")}`)?.groups).to.deep.equal({ uuid: "id" });
    for (const path of [
      "/tasks/id/status/",
      "/x/tasks/id/status",
      "/tasks//status",
      "/tasks/a/b/status",
    ])
      expect(route?.pattern.test(path), path).to.equal(false);
  });

  it("matches a point in a path literally", () => {
    for (const { path, pattern } of routes) {
      if (!path.includes("{"))
        expect(pattern.test(path.replaceAll(".", "x"))).to.equal(!path.includes("."));
    }
  });

  it("sends text as bytes, and bytes as they are", () => {
    expect(textReply("é").body?.text).to.deep.equal(Buffer.from("é"));
    const bytes = Buffer.from([0xff]);
    expect(textReply(bytes).body?.text).to.equal(bytes);
  });

  it("gives a call its method, segments and the key that the endpoint always needs", () => {
    const key = { in: "header", name: "X-API-KEY" };
    expect(endpointCall("POST /tasks")).to.deep.equal({ method: "POST", path: ["tasks"], key });
    expect(endpointCall("POST /tasks/{uuid}/retry", "a/b")).to.deep.equal({
      method: "POST",
      path: ["tasks", "a/b", "retry"],
      key,
    });
    expect(endpointCall("POST /submit-batch").key).to.deep.equal({ in: "query", name: "apiKey" });
    expect(endpointCall("GET /grow-orders").key).to.deep.equal({ in: "header", name: "api-key" });
    expect(endpointCall("GET /tasks/{uuid}/status", "id")).to.deep.equal({
      method: "GET",
      path: ["tasks", "id", "status"],
    });
    expect(endpointCall("POST /write")).to.deep.equal({ method: "POST", path: ["write"] });
    expect(endpointCall("GET /is-alive")).to.deep.equal({ method: "GET", path: ["is-alive"] });
  });
});
