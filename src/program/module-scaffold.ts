import { HANDLE_SOURCE, type ModuleTemplateSource, TEMPLATE_SOURCES } from "./module-templates.js";
import { checkPackageName, scarbArtifacts } from "./scarb.js";

const SOURCE = `// A proven eth_call: the data processor's EVM in Cairo runs over proven headers, accounts, storage and code.
#[starknet::contract]
pub mod Module {
    use hdp_cairo::HDP;
    use hdp_cairo::eth_call::hdp_backend::TimeAndSpace;
    use starknet::EthAddress;

    #[storage]
    struct Storage {}

    /// Whether the call succeeded, the gas it used, and what it returned: length, then bytes.
    #[external(v0)]
    pub fn main(
        ref self: ContractState,
        hdp: HDP,
        chain_id: u128,
        block: u128,
        sender: felt252,
        target: felt252,
        calldata: Array<u8>,
    ) -> Array<felt252> {
        let sender: EthAddress = sender.try_into().unwrap();
        let target: EthAddress = target.try_into().unwrap();
        let place = TimeAndSpace {
            chain_id: chain_id.try_into().unwrap(), block_number: block.try_into().unwrap(),
        };
        let result = hdp_cairo::execute_eth_call(@hdp, @place, sender, target, calldata.span());
        let mut output: Array<felt252> = array![
            if result.success {
                1
            } else {
                0
            },
            result.gas_used.into(),
            result.return_data.len().into(),
        ];
        for byte in result.return_data {
            output.append((*byte).into());
        }
        output
    }
}
`;

/** Files of a package that has an EVM in it: what \`hdp.ethCall\` and \`hdp eth-call\` run. */
export function ethCallPackage(name: string): readonly (readonly [string, string])[] {
  const { compiledClassFile } = scarbArtifacts(name);
  return [
    ["Scarb.toml", ethCallManifest(name)],
    ["src/lib.cairo", SOURCE],
    [
      "README.md",
      `# ${name}

A module that runs an \`eth_call\` over proven state, by the EVM of the data processor's public Cairo library, which Scarb
fetches from its repository. Its inputs are chain id, block, sender, target and the calldata as bytes.

    scarb build

writes \`${compiledClassFile}\`. Name it in \`hardhat.config.ts\`:

    hdp: { local: { ethCallModule: "${name}/${compiledClassFile}" } }

and call a contract:

    npx hardhat hdp eth-call <address> "balanceOf(address)(uint256)" <account>
`,
    ],
    [".gitignore", "target/\n.snfoundry_cache/\n"],
  ];
}

function ethCallManifest(name: string): string {
  return `[package]
name = "${name}"
version = "0.1.0"
edition = "2024_07"

[dependencies]
starknet = ">=2.13.0"
# The commit that was tried; a newer one may need another Scarb.
hdp_cairo = { git = "https://github.com/HerodotusDev/hdp-cairo", rev = "1e00936f" }

[[target.starknet-contract]]
# The Sierra class has the ABI, by which arguments are encoded.
sierra = true
# The compiled class is what the registry takes and the data processor runs.
casm = true
casm-add-pythonic-hints = true
# Modules are not deployed: the list of library functions that a chain allows is not theirs.
allowed-libfuncs = false
`;
}

/** What a new module does. */
export const MODULE_TEMPLATES = ["balance", "logs", "injected-state", "bridge", "eth-call"] as const;
export type ModuleTemplate = (typeof MODULE_TEMPLATES)[number];

/**
 * Files of a new Scarb package for a module that works as it is, by default a sum of an account's balance over blocks.
 *
 * @param name name of the package: a lower-case letter, then lower-case letters, digits and `_`.
 * @returns content by path, relative to the package's folder, with `/`.
 * @throws HdpError HDP-7030 where the name cannot be one.
 */
export function scaffoldModule(name: string, template: ModuleTemplate = "balance"): ReadonlyMap<string, string> {
  checkPackageName(name);
  if (template === "eth-call") return new Map(ethCallPackage(name));
  const chosen = TEMPLATE_SOURCES[template];
  return new Map([
    ["Scarb.toml", manifest(name)],
    ["src/lib.cairo", chosen.source],
    ["src/hdp.cairo", HANDLE_SOURCE],
    [`tasks/${name}.json`, task(name, chosen)],
    ["README.md", readme(name, chosen)],
    [".gitignore", "target/\n.snfoundry_cache/\n"],
  ]);
}

function manifest(name: string): string {
  return `[package]
name = "${name}"
version = "0.1.0"
edition = "2023_11"

[dependencies]
# From 2.8.2 on; a module is compiled with the Scarb of the same version or a newer one.
starknet = ">=2.8.2"

[[target.starknet-contract]]
# The Sierra class has the ABI, by which arguments are encoded.
sierra = true
# The compiled class is what the registry takes and the data processor runs.
casm = true
# The data processor's prover reads hints in this form.
casm-add-pythonic-hints = true
# Modules are not deployed: the list of library functions that a chain allows is not theirs.
allowed-libfuncs = false
`;
}

function task(name: string, { arguments: values, injectedState }: ModuleTemplateSource): string {
  const request = {
    destinationChainId: "ETHEREUM_SEPOLIA",
    tasks: [
      {
        type: "Module",
        module: {
          class: `../${scarbArtifacts(name).compiledClassFile}`,
          arguments: values,
        },
        injected_state: injectedState,
      },
    ],
  };
  return `${JSON.stringify(request, null, 2)}\n`;
}

function readme(name: string, { summary }: ModuleTemplateSource): string {
  const { compiledClassFile } = scarbArtifacts(name);
  return `# ${name}

A module for the data processor: a Starknet contract whose function \`main\` computes over proven on-chain data.
This one ${summary}.

| File | What it is |
|---|---|
| \`src/lib.cairo\` | the contract with \`main\`: change this |
| \`src/hdp.cairo\` | the data handle: reads of chains, and injected state; add the reads you need |
| \`tasks/${name}.json\` | a task that runs the module, with its arguments by name |
| \`Scarb.toml\` | the build's settings; the data processor needs those under \`[[target.starknet-contract]]\` |

## Build

    scarb build

It writes \`${compiledClassFile}\`, which is uploaded and run, and beside it the Sierra class, which has the ABI.

## Check

    npx hardhat hdp program hash ${compiledClassFile}
    npx hardhat hdp:check tasks/${name}.json

## Rules

- \`main\` takes \`hdp: HDP\` first; the data processor passes it. The task gives the parameters after it.
- The only system calls are reads through the handle and keccak.
- Private parameters come last: the prover passes all public inputs first.
- The handle in \`src/hdp.cairo\` is the current generation's, with four members. The package \`hdp_cairo\` has a larger
  one with every field; use it as a dependency in place of \`src/hdp.cairo\` when you need it.
`;
}
