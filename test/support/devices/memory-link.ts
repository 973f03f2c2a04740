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

const end = (carries: Link['carries'], ownInbox: Inbox, otherInbox: Inbox): Link => ({
  name: 'memory',
  carries,
  async write(bytes) {
    const lossFault = ownInbox.lossFault();
    if (lossFault !== undefined) throw lossFault;
    if (carries === 'reports' && bytes.length !== reportBytes) {
      throw new Fault('link.lost', { port: 'memory', why: `a report has ${reportBytes} bytes, not ${bytes.length}` });
    }
    const copy = Uint8Array.from(bytes);
    queueMicrotask(() => otherInbox.deliver(copy));
  },
  listen: ownInbox.listen,
  async close() {
    if (ownInbox.lossFault() !== undefined) return ownInbox.close();
    ownInbox.close();
    queueMicrotask(() => otherInbox.lose(new Fault('link.lost', { port: 'memory', why: 'the other end closed it' })));
  },
});
