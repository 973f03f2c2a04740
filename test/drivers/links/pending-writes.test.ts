/** A write ends with its link: nobody waits for a port that will never answer, and no timer keeps a process alive. */
import { expect, test } from 'vitest';
import { inbox, writeThrough } from '../../../drivers/links/link.ts';
import { Fault } from '../../../src/base/fault.ts';

const rig = () => {
  const box = inbox('port');
  const timers = new Set<() => void>();
  const clock = {
    now: () => 0,
    monotonic: () => 0,
    after(_ms: number, action: () => void) {
      timers.add(action);
      return () => void timers.delete(action);
    },
  };
  const onLost = (reason: string) => box.lose(new Fault('link.lost', { port: 'port', why: reason }));
  return { box, timers, link: { name: 'port', clock, box, onLost } };
};

test.each([
  ['closed here', (box: ReturnType<typeof inbox>) => box.close()],
  [
    'lost',
    (box: ReturnType<typeof inbox>) => box.lose(new Fault('link.lost', { port: 'port', why: 'it was unplugged' })),
  ],
])('a link that is %s during a write ends it at once', async (_, end) => {
  const { box, timers, link } = rig();
  const writing = writeThrough(link, () => {});
  expect(timers.size).toBe(1);
  end(box);
  await expect(writing).rejects.toMatchObject({ code: 'link.lost' });
  expect(timers.size).toBe(0);
});

test('a completed write leaves nothing behind', async () => {
  const { box, timers, link } = rig();
  await writeThrough(link, (done) => done());
  expect(timers.size).toBe(0);
  box.close();
});
