/** The contract, fourth part: what the device reports about itself before a card is requested. */
import assert from 'node:assert/strict';
import { seededRandom } from '../../drivers/simulation/cardholder.ts';
import { createKeySlots } from '../../drivers/simulation/key-slots.ts';
import { fromHex } from '../../src/base/hex.ts';
import { type Case, Counter, endOf, isObservable, whatOf } from './terminal.ts';

const sredAt = (ksn: string) => createKeySlots({ random: seededRandom(3), sredKsn: fromHex(ksn) });
const lastUsed = 'FFFF0102AABBCC1FF800';
const oneLeft = 'FFFF0102AABBCC1FF400';

const assertSentences = (problems: readonly string[]): void => {
  for (const text of problems) assert.match(text, /^[A-Z].* /u, `no sentence: ${text}`);
};

/** The read is refused by name, and no card was requested. */
const assertRefusesCards = async (counter: Counter): Promise<string> => {
  const end = await counter.wait(endOf(counter.start()));
  assert.equal(end.code, 'terminal.unready');
  assert.deepEqual(counter.events, [], 'a card was requested');
  return end.code;
};

const well: Case = {
  says: 'all is well: keys ready, no problems, an echo',
  async run(subject) {
    const counter = await new Counter(subject).open();
    const { terminal } = counter;
    const info = await counter.wait(terminal.info());
    assert(info.model !== '' && info.serial !== '' && info.firmware !== '', JSON.stringify(info));
    const keys = await counter.wait(terminal.keys());
    assert(keys.some(({ use }) => use === 'sred') && keys.every(({ ready }) => ready), JSON.stringify(keys));
    const health = await counter.wait(terminal.health());
    assert.deepEqual([health.ok, health.problems], [true, []]);
    assert.notEqual(health.tampered, true);
    await counter.wait(terminal.echo());
    await counter.sellsAgain('same');
    await counter.close();
    return [...new Set(keys.map(({ use }) => use))].join(', ');
  },
};

const exhausted: Case[] = [
  {
    says: 'the key for card data is exhausted: reported, and no card is requested',
    async run(subject) {
      const counter = await new Counter(subject, { keys: sredAt(lastUsed) }).open();
      const keys = await counter.wait(counter.terminal.keys());
      const sred = keys.filter(({ use }) => use === 'sred');
      assert(sred.length > 0 && sred.every(({ ready }) => !ready), JSON.stringify(keys));
      const { ok, problems } = await counter.wait(counter.terminal.health());
      assert(!ok && problems.length > 0);
      assertSentences(problems);
      const outcome = await assertRefusesCards(counter);
      await counter.close();
      return outcome;
    },
  },
  {
    says: 'the last key is used, and the next sale is refused',
    async run(subject) {
      // A tap can take two keys, a chip takes one: a remaining key must not allow a sale.
      const counter = await new Counter(subject, { keys: sredAt(oneLeft) }).open();
      const ends: string[] = [];
      for (let sale = 0; sale < 40 && ends.at(-1) !== 'terminal.unready'; sale += 1) {
        const end = await counter.wait(endOf(counter.start()));
        ends.push(end.code ?? whatOf(end.value));
        if (end.code === undefined && end.value.kind === 'goOnline') {
          await counter.wait(endOf(counter.complete({ kind: 'approved', arc: '00' })));
          await counter.wait(endOf(counter.terminal.waitForRemoval(30_000)));
        }
        // Reconnects, as a till does after a fault.
        if (end.code !== undefined && end.code !== 'terminal.unready') {
          await counter.terminal.close();
          await counter.wait(counter.connect([]));
        }
      }
      assert.equal(ends.at(-1), 'terminal.unready', ends.join());
      assert(ends.length <= 12, ends.join());
      await counter.close();
      return `${ends.length - 1} before`;
    },
  },
];

const tampered: Case = {
  says: 'the device was opened: reported, and no card is requested',
  async run(subject) {
    const counter = await new Counter(subject, { config: { tampered: true } }).open();
    const { ok, problems, tampered } = await counter.wait(counter.terminal.health());
    if (!isObservable(subject, 'tampered')) {
      await counter.sellsAgain('same');
      await counter.close();
      return 'not told';
    }
    assert.deepEqual([ok, tampered], [false, true]);
    assertSentences(problems);
    const outcome = await assertRefusesCards(counter);
    await counter.close();
    return outcome;
  },
};

const battery: Case = {
  says: 'the battery is nearly empty: reported',
  async run(subject) {
    const counter = await new Counter(subject, { config: { batteryPercent: 3 } }).open();
    const { ok, problems, batteryPercent } = await counter.wait(counter.terminal.health());
    if (batteryPercent === undefined && !isObservable(subject, 'battery')) {
      await counter.close();
      return 'not told';
    }
    assert.equal(batteryPercent, 3);
    assert(!ok && problems.some((text) => /battery/i.test(text)), problems.join());
    assertSentences(problems);
    const end = await counter.wait(endOf(counter.start()));
    const outcome = end.code ?? whatOf(end.value);
    assert(outcome === 'goOnline' || outcome === 'terminal.unready', outcome);
    await counter.close();
    return outcome;
  },
};

const clockOff: Case = {
  says: 'the device’s clock is ten minutes ahead: reported',
  async run(subject) {
    const counter = await new Counter(subject, { config: { clockOffsetMs: 600_000 } }).open();
    const { clockDifferenceMs } = await counter.wait(counter.terminal.health());
    if (!isObservable(subject, 'clock')) {
      await counter.sellsAgain('same');
      await counter.close();
      return 'not told';
    }
    assert(
      clockDifferenceMs !== undefined && Math.abs(clockDifferenceMs - 600_000) <= 60_000,
      `${clockDifferenceMs} ms`,
    );
    await counter.sellsAgain('same');
    await counter.close();
    return `${clockDifferenceMs} ms`;
  },
};

export const healthCases: readonly Case[] = [well, ...exhausted, tampered, battery, clockOff];
