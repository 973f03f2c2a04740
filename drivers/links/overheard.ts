/** A link that somebody listens to, without a part in the conversation. */
import type { Link } from './link.ts';

type Listener = { push(way: 'said' | 'heard', bytes: Uint8Array): void };

export const overheard = (link: Link, ear: Listener): Link => ({
  name: link.name,
  carries: link.carries,
  write(bytes) {
    ear.push('said', bytes);
    return link.write(bytes);
  },
  listen: (listener) =>
    link.listen({
      bytes(bytes) {
        // First: the listener may overwrite them.
        ear.push('heard', bytes);
        listener.bytes(bytes);
      },
      closed: (why) => listener.closed(why),
    }),
  close: () => link.close(),
});
