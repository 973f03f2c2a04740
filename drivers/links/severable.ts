/** A link that somebody else than its user can end: for deadlines over everything that is done on it. */
import type { Fault } from '../../src/base/fault.ts';
import { inbox } from './inbox.ts';
import type { Link } from './link.ts';

export type Severable = Link & {
  /** Ends it for its user with this fault, and closes the link below. Never rejects. */
  sever(why: Fault): Promise<void>;
};

export const severable = (link: Link): Severable => {
  const box = inbox(link.name);
  const below = { bytes: (bytes: Uint8Array) => box.deliver(bytes), closed: (why: Fault) => box.lose(why) };
  return {
    name: link.name,
    carries: link.carries,
    listen(listener) {
      box.listen(listener);
      link.listen(below);
    },
    async write(bytes) {
      const gone = box.gone();
      if (gone !== undefined) throw gone;
      return link.write(bytes);
    },
    async close() {
      box.shut();
      await link.close();
    },
    async sever(why) {
      box.lose(why);
      await link.close();
    },
  };
};
