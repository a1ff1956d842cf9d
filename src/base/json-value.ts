function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A copy of parsed JSON that later changes of it do not reach. */
export function copyJson<T>(value: T): T;
export function copyJson(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => copyJson(item));
  if (!isObject(value)) return value;
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(value)) copy[key] = copyJson(value[key]);
  return copy;
}

/** Whether two parsed JSON documents are the same, the order of keys aside. */
export function sameJson(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (Array.isArray(left)) {
    if (!Array.isArray(right) || left.length !== right.length) return false;
    for (let index = 0; index < left.length; index += 1) {
      if (!sameJson(left[index], right[index])) return false;
    }
    return true;
  }
  if (!isObject(left) || !isObject(right)) return false;
  const keys = Object.keys(left);
  if (keys.length !== Object.keys(right).length) return false;
  return keys.every((key) => Object.hasOwn(right, key) && sameJson(left[key], right[key]));
}
