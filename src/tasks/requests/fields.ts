import { HdpError } from "../../errors/hdp-error.js";
import { FIELD_NAMES, listFields, type FieldKind } from "../../request/fields.js";
import { optionalWord } from "../shared-options.js";
import { command } from "../command.js";
import { style } from "../ui/screen.js";

const KINDS = Object.keys(FIELD_NAMES).filter((kind): kind is FieldKind => kind in FIELD_NAMES);

export default command({
  name: "fields",
  description: "List the fields a sampled property can name, and the functions they allow",
  positional: { kind: optionalWord("header, account, storage, tx or tx_receipt; all when left out") },
  run: async (args, { screen }) => {
    const kinds = selectKinds(args.kind);
    for (const kind of kinds) {
      screen.line();
      screen.line(`  ${style.strong(kind)}`);
      for (const { field, functions, note } of listFields(kind)) {
        const allowed = functions.length === 0 ? "no function" : functions.join(", ");
        screen.line(`    ${field.padEnd(26)} ${allowed}${note === undefined ? "" : style.faint(`  (${note})`)}`);
      }
    }
    screen.line();
    screen.line(`  ${style.strong("storage")}   storage.{address}.{slot}: every function`);
    screen.document(Object.fromEntries(kinds.map((kind) => [kind, listFields(kind)])));
  },
});

function selectKinds(kind: string | undefined): readonly FieldKind[] {
  const kinds = kind === undefined ? KINDS : KINDS.filter((known) => known === kind);
  if (kinds.length > 0) return kinds;
  throw new HdpError({
    code: "HDP-6006",
    path: "kind",
    message: `"${String(kind)}" is not a kind of sampled property with fields.`,
    hints: [`Allowed: ${KINDS.join(", ")}. A storage property names a slot: storage.{address}.{slot}.`],
  });
}
