import { scarbArtifacts } from "./scarb.js";

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

/** Files of a package that has an EVM in it: what \`hdp.ethCall\` and \`hdp:eth-call\` run. */
export function ethCallPackage(name: string): readonly (readonly [string, string])[] {
  const { compiledClassFile } = scarbArtifacts(name);
  return [
    ["Scarb.toml", manifest(name)],
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

    npx hardhat hdp:eth-call <address> "balanceOf(address)(uint256)" <account>
`,
    ],
    [".gitignore", "target/\n.snfoundry_cache/\n"],
  ];
}

function manifest(name: string): string {
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
