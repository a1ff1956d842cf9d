import type { WireEditionName } from "./data-processor/edition.js";

/** The published addresses of a hosted service. */
export interface KnownService {
  /** Base address of the data processor. */
  readonly url: string;
  /** API version that it speaks. */
  readonly edition: WireEditionName;
  /** Base address of the login, which issues keys. */
  readonly loginUrl: string;
  /** Base address of the indexer, which says what can be proven where. */
  readonly indexerUrl: string;
  /** Base address of the storage proof interface. */
  readonly storageProofUrl: string;
}

/** The domain of the hosted services, which their logins have to name. */
export const HOSTED_DOMAIN = "herodotus.cloud";

/**
 * Hosted services by name, as their public pages listed them on 2026-11-27. No call was ever made to them from here.
 * A production host of the data processor is not published.
 */
export const KNOWN_SERVICES = {
  "herodotus-staging": {
    url: "https://staging.hdp.api.herodotus.cloud",
    edition: "module-tasks",
    loginUrl: "https://auth-billing.api.herodotus.cloud",
    indexerUrl: "https://staging.rs-indexer.api.herodotus.cloud",
    storageProofUrl: "https://mission-control.api.herodotus.cloud",
  },
} as const satisfies Readonly<Record<string, KnownService>>;

/** The name of a hosted service, as a configuration may have it in place of an address. */
export type KnownServiceName = keyof typeof KNOWN_SERVICES;
