/** Provided by Node; the type libraries declare it for browsers only. */
declare const WebAssembly: {
  readonly Module: new (code: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: object };
};

/** Returns the exports of a WebAssembly module in base64, assembled by scripts of this package. */
export function instantiate(base64: string): object {
  return new WebAssembly.Instance(new WebAssembly.Module(Buffer.from(base64, "base64"))).exports;
}
