/** Node has it; the type libraries declare it for browsers only. */
declare const WebAssembly: {
  readonly Module: new (code: Uint8Array) => object;
  readonly Instance: new <TExports>(module: object) => { readonly exports: TExports };
};

/** What a WebAssembly module, in base64, exports. The modules are this package's own, assembled by its scripts. */
export function instantiate<TExports>(base64: string): TExports {
  return new WebAssembly.Instance<TExports>(new WebAssembly.Module(Buffer.from(base64, "base64"))).exports;
}
