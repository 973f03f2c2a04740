/**
 * The dialects that a terminal turns out to speak: observed on its links as they are opened, and each reported once.
 */
import type { Driver } from '../../drivers/driver.ts';
import { type Link, observe } from '../../drivers/links/link.ts';

export type DetectedDialects = {
  wrap(link: Link, driver: Driver): Link;
  /** The names in `docs/reference/dialects.md`. Undefined when none of the protocol's dialects can be observed. */
  names(): readonly string[] | undefined;
};

/** `known`: observed earlier. `onNew` is called when a dialect is added, or replaced by another. */
export const detectDialects = (
  known: readonly string[] = [],
  onNew: (names: readonly string[]) => void = () => {},
): DetectedDialects => {
  let names = [...known];
  let listens = known.length > 0;
  return {
    names: () => (listens ? names : undefined),
    wrap(link, driver) {
      const detector = driver.detector?.({ carries: link.carries, line: link.name, known: names });
      if (detector === undefined) return link;
      listens = true;
      let knownBefore = [...detector.dialects];
      return observe(link, {
        push(direction, bytes) {
          detector.push(direction, bytes);
          const { dialects } = detector;
          if (dialects.size === knownBefore.length && knownBefore.every((name) => dialects.has(name))) return;
          const stored = names.filter((name) => dialects.has(name) || !knownBefore.includes(name));
          const all = [...new Set([...stored, ...dialects])].toSorted();
          knownBefore = [...dialects];
          if (all.join() === names.join()) return;
          names = all;
          onNew(all);
        },
      });
    },
  };
};
