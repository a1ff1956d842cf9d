import { network } from "hardhat";
const { provider } = await network.create();
const [from] = (await provider.request({ method: "eth_accounts" })) as string[];
console.log(await provider.request({ method: "eth_sendTransaction", params: [{ from, to: from, value: "0x1" }] }));
