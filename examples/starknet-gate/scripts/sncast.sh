#!/usr/bin/env bash
# Runs the task, declares and deploys the gate with sncast, and opens it with the result.
set -euo pipefail
cd "$(dirname "$0")/.."
url="${STARKNET_RPC_URL:-http://127.0.0.1:5050}"

# The first text of this name in JSON.
field() {
  grep -o "\"$1\": *\"[^\"]*\"" | head -n 1 | cut -d '"' -f 4
}

# sncast, in the Scarb package. It waits until the devnet has executed a transaction.
cast() {
  (cd cairo && sncast --json --account devnet-1 --wait "$@" --url "$url")
}

is_open() {
  cast call --contract-address "$gate" --function is_open | field response
}

result=$(npx hardhat hdp:submit tasks/fee.json --json)
store=$(field store <<<"$result")
value=$(field value <<<"$result")
hash=$(field taskHash <<<"$result")
echo "result $value in the store $store"

class=$(cd cairo && sncast --json utils class-hash --contract-name FeeGate | field class_hash)
# A class is declared once: sncast refuses it the second time.
declared=$(cast declare --contract-name FeeGate 2>&1) || grep -q "already declared" <<<"$declared"
task="hardhat_hdp::task::HdpTask { hash: $hash, form: hardhat_hdp::task::HdpForm::Datalake }"
gate=$(cast deploy --class-hash "$class" --arguments "$store, $task" | field contract_address)
echo "gate $gate, open: $(is_open)"

cast invoke --contract-address "$gate" --function update --arguments "$value" >/dev/null
echo "gate $gate, open: $(is_open)"
