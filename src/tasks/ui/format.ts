/** 1047238911n as "1,047,238,911". */
export function groupDigits(value: bigint | number): string {
  return value.toString().replace(/\B(?=(\d{3})+(?!\d))/g, ",");
}

/** "0x5FbD…0aa3": enough to recognise. What is to be copied is printed whole. */
export function shortHex(hex: string): string {
  return hex.length <= 12 ? hex : `${hex.slice(0, 6)}…${hex.slice(-4)}`;
}

/** Milliseconds as "0.1 s", "75 s", "2 min 5 s", "3 h 20 min". */
export function elapsed(milliseconds: number): string {
  const seconds = milliseconds / 1000;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 120) return `${String(Math.round(seconds))} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 120) return `${String(minutes)} min ${String(Math.round(seconds % 60))} s`;
  return `${String(Math.floor(minutes / 60))} h ${String(minutes % 60)} min`;
}

/** `1 task`, `3 tasks`. */
export function plural(count: number | bigint, word: string): string {
  return `${groupDigits(count)} ${word}${BigInt(count) === 1n ? "" : "s"}`;
}
