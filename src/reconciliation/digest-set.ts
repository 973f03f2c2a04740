/** A set of 64-bit numbers in two flat arrays: eight to sixteen bytes a number, where a Set takes over sixty. */

export type DigestSet = { has(digest: bigint): boolean; add(digest: bigint): void; readonly size: number };

/** 0 marks an empty place, and is told apart by a flag. */
export const digestSet = (): DigestSet => {
  let places = new BigUint64Array(1024);
  let size = 0;
  let hasZero = false;

  const placeOf = (digest: bigint, all: BigUint64Array): number => {
    const mask = all.length - 1;
    let at = Number(digest & BigInt(mask));
    while (all[at] !== 0n && all[at] !== digest) at = (at + 1) & mask;
    return at;
  };

  const grow = (): void => {
    const wider = new BigUint64Array(places.length * 2);
    for (const digest of places) if (digest !== 0n) wider[placeOf(digest, wider)] = digest;
    places = wider;
  };

  return {
    get size() {
      return size;
    },
    has: (digest) => (digest === 0n ? hasZero : places[placeOf(digest, places)] === digest),
    add(digest) {
      if (digest === 0n) {
        size += hasZero ? 0 : 1;
        hasZero = true;
        return;
      }
      const at = placeOf(digest, places);
      if (places[at] === digest) return;
      places[at] = digest;
      size += 1;
      if (size * 2 > places.length) grow();
    },
  };
};
