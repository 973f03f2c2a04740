/** The dialects that a terminal turned out to speak: heard on its links as they are opened, and told of once each. */
import type { Driver } from '../../drivers/driver.ts';
import type { Link } from '../../drivers/links/link.ts';
import { overheard } from '../../drivers/links/overheard.ts';

export type HeardDialects = {
  wrap(link: Link, driver: Driver): Link;
  /** By the names of `docs/reference/dialects.md`; undefined where the protocol has none that could be heard. */
  names(): readonly string[] | undefined;
};

/** `known`: heard before. `fresh` is called when there is one more. */
export const hearDialects = (
  known: readonly string[] = [],
  fresh: (names: readonly string[]) => void = () => {},
): HeardDialects => {
  let names = [...known];
  let listens = known.length > 0;
  return {
    names: () => (listens ? names : undefined),
    wrap(link, driver) {
      const ear = driver.ear?.();
      if (ear === undefined) return link;
      listens = true;
      let count = 0;
      return overheard(link, {
        push(way, bytes) {
          ear.push(way, bytes);
          if (ear.dialects.size === count) return;
          count = ear.dialects.size;
          const all = [...new Set([...names, ...ear.dialects])].toSorted();
          if (all.length === names.length) return;
          names = all;
          fresh(all);
        },
      });
    },
  };
};
