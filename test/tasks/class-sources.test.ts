import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { expect } from "chai";

import { describePlace } from "../../src/tasks/modules/class-sources.js";

const LIB = `pub mod hdp;
pub mod maths;

#[starknet::contract]
pub mod Module {
    pub fn main(ref self: ContractState) -> u256 {
        assert(self.first <= self.last, 'no blocks in the range');
        // The first loop.
        loop {
            i += 1;
        }
        let sum = loop {
            assert!(block != 6, "block {block} is {what}");
            block += 1;
        };
    }
}
`;
const MATHS = `pub fn twice() {}
mod inner {
    impl Checks of ChecksTrait {
        fn check() {
            assert(false, 'twice');
        }
    }
    impl Others of OthersTrait {
        fn check() {
            assert(false, 'twice');
            assert(false, 'twice');
        }
    }
}
`;

describe("the place where a module ended", () => {
  let root: string;

  before(() => {
    root = mkdtempSync(join(tmpdir(), "hdp-places-"));
    const files = {
      "my/Scarb.toml": "",
      "my/src/lib.cairo": LIB,
      "my/src/maths.cairo": MATHS,
      "other/target/dev/my_Module.json": "",
    };
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
  });
  after(() => {
    rmSync(root, { recursive: true });
  });

  const place = async (
    func: string,
    panic?: string,
    classFile = "my/target/dev/my_Module.json",
  ): Promise<string> =>
    await describePlace({ func, line: undefined }, [join(root, classFile)], root, panic);

  it("names the line of the panic's text, where the source has it once", async () => {
    const inMain = "my::Module::__wrapper__main";
    expect(await place(inMain, "no blocks in the range")).to.equal(
      "my::Module::main (my/src/lib.cairo:7)",
    );
    expect(await place(inMain, "block 6 is (1)")).to.equal(
      "my::Module::main (my/src/lib.cairo:13)",
    );
    expect(await place("my::maths::inner::Checks::check", "twice")).to.equal(
      "my::maths::inner::Checks::check (my/src/maths.cairo:5)",
    );
    // Inlined: the function that panicked is another one.
    expect(await place("my::maths::twice", "no blocks in the range")).to.match(/lib\.cairo:7\)$/);
    expect(await place("main", "no blocks in the range")).to.equal("main (my/src/lib.cairo:7)");
  });

  it("names the function and its file without a line otherwise, of its loops too", async () => {
    const others = "my::maths::inner::Others::check::<core::felt252>";
    expect(await place(others, "twice")).to.equal(`${others} (my/src/maths.cairo)`);
    expect(await place("my::Module::main", "u32_add Overflow")).to.equal(
      "my::Module::main (my/src/lib.cairo)",
    );
    expect(await place("my::Module::main[9-10]")).to.equal("my::Module::main (my/src/lib.cairo)");
  });

  it("names the line that the class says", async () => {
    const line = `${join(root, "my/src/maths.cairo")}:12`;
    const told = { func: "my::Module::__wrapper__main[465-657]", line };
    expect(await describePlace(told, [], root, "twice")).to.equal(
      "my::Module::main (my/src/maths.cairo:12)",
    );
  });

  it("names the function alone where there are no sources of it", async () => {
    expect(
      await place("my::Module::main", "no blocks in the range", "other/target/dev/my_Module.json"),
    ).to.equal("my::Module::main");
    expect(await place("fn@12")).to.equal("fn@12");
    expect(await place("my::gone::away")).to.equal("my::gone::away");
    expect(await place("hdp_cairo::twice")).to.equal("hdp_cairo::twice");
  });
});
