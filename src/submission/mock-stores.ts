import type { Address, Hex } from "viem";

import type { DatabaseFile } from "./database-file.js";
import { hex, text } from "./stored-submission.js";

interface RememberedMock {
  readonly address: Address;
  readonly codeHash: Hex;
}

/** The mock execution stores of this project's development chains, by the hash of a chain's first block. */
export class MockStores {
  readonly #file: DatabaseFile;
  readonly #now: () => number;

  /** @param now returns the time in milliseconds since 1970 */
  public constructor(file: DatabaseFile, now: () => number) {
    this.#file = file;
    this.#now = now;
  }

  /** Returns the mock in use on the chain of a first block. */
  public of(genesis: Hex): RememberedMock | undefined {
    const row = this.#file.readable()?.get("SELECT * FROM mock WHERE genesis = ?", genesis);
    if (row === undefined || typeof row["address"] !== "string") return undefined;
    return { address: hex(row["address"]), codeHash: hex(row["code_hash"]) };
  }

  /** Records the mock in use on a chain. */
  public remember(genesis: Hex, { address, codeHash }: RememberedMock): void {
    void this.#file.writable().run(
      `INSERT INTO mock (genesis, address, code_hash, since) VALUES (?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET address = excluded.address, code_hash = excluded.code_hash, deployer = NULL`,
      ...[genesis, address, codeHash, Math.round(this.#now())],
    );
  }

  /** Claims the deployment of a chain's first mock for a process. @returns the process that is deploying it already */
  public claimDeployment(genesis: Hex, deployer: string): string | undefined {
    return this.#file.writable().transaction(() => {
      const other = text(
        this.#file.writable().get("SELECT * FROM mock WHERE genesis = ?", genesis)?.["deployer"],
      );
      if (other === undefined) this.setDeployer(genesis, deployer);
      return other;
    });
  }

  /** Records which process is deploying a chain's mock; undefined: none. */
  public setDeployer(genesis: Hex, deployer: string | undefined): void {
    void this.#file.writable().run(
      `INSERT INTO mock (genesis, deployer, since) VALUES (?, ?, ?)
       ON CONFLICT DO UPDATE SET deployer = excluded.deployer, since = excluded.since`,
      ...[genesis, deployer ?? null, Math.round(this.#now())],
    );
  }
}
