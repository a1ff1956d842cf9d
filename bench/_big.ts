import { createWriteStream } from "node:fs";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { openJournal } from "../src/plugin/open-journal.js";
import { encodeEntry } from "../src/journal/journal-entry.js";
const folder = "/tmp/tb-big"; await rm(folder,{recursive:true,force:true});
const { mkdir } = await import("node:fs/promises"); await mkdir(folder);
const out = createWriteStream(folder+"/journal.jsonl");
const t = { destinationChainId: "ETHEREUM_SEPOLIA", processor: "tasks", network: "n", endpointHost: "h" } as const;
const inputs = Array.from({length:4000},(_, i)=>({visibility:"public" as const, value:`0x${i.toString(16).padStart(62,"1")}` as const}));
let bytes=0; 
for (let i=0; bytes<600*2**20; i++){ const h=`0x${i.toString(16).padStart(64,"0")}` as const;
 const line=encodeEntry({event:"intent",id:`id-${i}`,...t,taskHashes:[h],request:{destinationChainId:"ETHEREUM_SEPOLIA",tasks:[{type:"Module",programHash:"0x1",inputs}]}},new Date(0))+"\n"; bytes+=line.length; if(!out.write(line)) await once(out,"drain"); }
out.end(); await once(out,"finish");
const s=performance.now(); const c=process.cpuUsage();
const j=openJournal(folder); const r=await j.records();
console.log("journal", bytes, "bytes", r.records.size,"submissions", r.damage.length, "damaged", Math.round(performance.now()-s),"ms wall", Math.round((process.cpuUsage(c).user)/1000),"ms cpu", "maxrss MB", Math.round(process.resourceUsage().maxRSS/1024));
await rm(folder,{recursive:true,force:true});
