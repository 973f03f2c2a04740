/**
 * A byte pipe within this process: what one end writes, the other receives in order, after the present call has ended.
 */

import { type Inbox, inbox, type Link, reportBytes } from '../../../drivers/links/link.ts';
import { Fault } from '../../../src/base/fault.ts';

/** Both ends of a pipe. Closing one end is a lost link for the other. */
export const memoryLinks = (carries: Link['carries'] = 'stream'): [Link, Link] => {
  const left = inbox('memory');
  const right = inbox('memory');
  return [end(carries, left, right), end(carries, right, left)];
};

const end = (carries: Link['carries'], own: Inbox, other: Inbox): Link => ({
  name: 'memory',
  carries,
  async write(bytes) {
    const lossFault = own.lossFault();
    if (lossFault !== undefined) throw lossFault;
    if (carries === 'reports' && bytes.length !== reportBytes) {
      throw new Fault('link.lost', { port: 'memory', why: `a report has ${reportBytes} bytes, not ${bytes.length}` });
    }
    const copy = Uint8Array.from(bytes);
    queueMicrotask(() => other.deliver(copy));
  },
  listen: own.listen,
  async close() {
    if (own.lossFault() !== undefined) return own.close();
    own.close();
    queueMicrotask(() => other.lose(new Fault('link.lost', { port: 'memory', why: 'the other end closed it' })));
  },
});
