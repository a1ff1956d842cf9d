// Hints are sentences for people: people read them, tests compare few of them.
import { declareValuePlugin, PluginKind } from "@stryker-mutator/api/plugin";
import { z } from "zod";

const sentence = z.object({ type: z.enum(["StringLiteral", "TemplateLiteral"]) });
const hints = z.object({
  node: z.object({
    type: z.literal("ObjectProperty"),
    key: z.object({ name: z.literal("hints") }),
    value: z.object({ type: z.literal("ArrayExpression"), elements: z.array(sentence) }),
  }),
});

/** What Stryker loads this file for. */
export const strykerPlugins = [
  declareValuePlugin(PluginKind.Ignore, "hints", {
    shouldIgnore: (path) => (hints.safeParse(path).success ? "sentences for people" : undefined),
  }),
];
