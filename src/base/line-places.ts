/** Where in a file a line stands. */
export interface LinePlace {
  readonly start: number;
  /** In bytes, without the line feed. */
  readonly length: number;
}

/** Lines nearer than this are read together, as long as that is not more than the second. */
const NEAR = 16 * 1024;
const TOGETHER = 1024 * 1024;

interface PlaceGroup {
  whole: LinePlace;
  readonly places: LinePlace[];
}

/** Places in the order given, those that follow each other closely together. */
export function groupsOf(places: readonly LinePlace[]): PlaceGroup[] {
  const groups: PlaceGroup[] = [];
  for (const place of places) {
    const last = groups.at(-1);
    const gap = last === undefined ? -1 : place.start - (last.whole.start + last.whole.length);
    const end = place.start + place.length;
    if (last !== undefined && gap >= 0 && gap <= NEAR && end - last.whole.start <= TOGETHER) {
      last.whole = { start: last.whole.start, length: end - last.whole.start };
      last.places.push(place);
    } else groups.push({ whole: place, places: [place] });
  }
  return groups;
}
