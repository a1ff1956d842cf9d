import { HdpError } from "../../request/errors.js";
import type { BurstStatus } from "./fault.js";

/** Thrown in the place of an answer by an injected fault. */
export class InjectedFaultError extends HdpError {
  /** The HTTP status that answered, where one did. */
  public readonly status: BurstStatus | undefined;
  /** Whether the data processor certainly did not accept the request. */
  public readonly isRefusal: boolean;

  private constructor(code: "HDP-4901" | "HDP-4902" | "HDP-4903", message: string, status: BurstStatus | undefined) {
    super({ code, message, hints: ["This fault was injected by a test."] });
    this.status = status;
    // A 5xx does not tell whether a proxy had passed the request on.
    this.isRefusal = status === 429;
  }

  public static cut(): InjectedFaultError {
    return new InjectedFaultError("HDP-4901", "the connection ended before the answer arrived", undefined);
  }

  public static burst(status: BurstStatus): InjectedFaultError {
    return new InjectedFaultError("HDP-4902", `the data processor answered ${status}`, status);
  }

  /** For a chain that cannot be taken back. */
  public static noReorganisation(cause: unknown): InjectedFaultError {
    const reason = cause instanceof Error ? cause.message : String(cause);
    return new InjectedFaultError("HDP-4903", `the chain cannot be reorganised: ${reason}`, undefined);
  }
}
