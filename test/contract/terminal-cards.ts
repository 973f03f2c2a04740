/** The contract, first part: every way a card can be read, and the decisions of chip and host. */
import assert from 'node:assert/strict';
import { seededRandom } from '../../drivers/simulation/cardholder.ts';
import { createKeySlots } from '../../drivers/simulation/key-slots.ts';
import type { Presentation } from '../../drivers/simulation/simulator.ts';
import type { HostVerdict } from '../../drivers/terminal.ts';
import { type TestCardName, testCard } from '../../src/emv/test-cards.ts';
import { AMOUNT, type Case, Counter, type DriverUnderTest, isObservable, type Setup, whatOf } from './terminal.ts';
import { assertNoNumber, authorise, cardOf, forward, sell } from './terminal-issuer.ts';

const withReader = async (
  subject: DriverUnderTest,
  setup: Setup,
  work: (counter: Counter) => Promise<string>,
): Promise<string> => {
  const counter = await new Counter(subject, setup).open();
  const outcome = await work(counter);
  await counter.sellsAgain('same');
  await counter.close();
  return outcome;
};

type Row = readonly [name: TestCardName, by: Presentation['by'], mode: string, verification: string, minor?: bigint];

const reads: readonly Row[] = [
  ['visa-credit', 'chip', 'ICC', 'onlinePin'],
  ['visa-debit', 'chip', 'ICC', 'onlinePin'],
  ['visa-signature', 'chip', 'ICC', 'signature'],
  ['visa-offline-pin', 'chip', 'ICC', 'offlinePin'],
  ['mastercard-credit', 'chip', 'ICC', 'onlinePin'],
  ['mastercard-m10', 'chip', 'ICC', 'none'],
  ['interac-debit', 'chip', 'ICC', 'onlinePin'],
  ['visa-credit', 'tap', 'NFC_ICC', 'none', 5_000n],
  ['visa-credit', 'tap', 'NFC_ICC', 'onlinePin', 5_001n],
  ['mastercard-credit', 'tap', 'NFC_ICC', 'onlinePin'],
  ['visa-tap-stripe', 'tap', 'NFC_MAGSTRIPE', 'none', 1_000n],
  ['visa-stripe', 'swipe', 'MAGSTRIPE', 'signature'],
  ['mastercard-stripe', 'swipe', 'MAGSTRIPE', 'signature'],
];

const entryModes: Case[] = reads.map(([name, by, mode, verification, minor = AMOUNT]) => ({
  says: `${name} by ${by}, ${minor}: ${mode}, ${verification}`,
  run: (subject) =>
    withReader(subject, { customer: { card: testCard(name), by } }, async (counter) => {
      const { card, code, verdict } = await sell(counter, { minor });
      const { pan } = testCard(name);
      assert.equal(card.entryMode, mode);
      if (isObservable(subject, 'verification')) assert.equal(card.verification, verification);
      const text = `${pan.slice(0, 6)}${'*'.repeat(pan.length - 10)}${pan.slice(-4)}`;
      if (isObservable(subject, 'firstSix')) assert.equal(card.maskedPan, text);
      else assert.match(card.maskedPan, new RegExp(`^${pan.slice(0, 4)}[*0]+${pan.slice(-4)}$`));
      assert.equal(code, '00', 'the issuer understands all of it');
      assert.equal(verdict, mode === 'ICC' ? 'approved' : 'none');
      return verdict;
    }),
}));

const wrongPin: Case = {
  says: 'a wrong PIN reaches the issuer, and the host’s decline reaches the chip',
  run: (subject) =>
    withReader(subject, { customer: { card: testCard('visa-credit'), by: 'chip', pin: '9876' } }, async (counter) => {
      const { code, verdict } = await sell(counter);
      assert.deepEqual([code, verdict], ['55', 'declined']);
      return `${code} ${verdict}`;
    }),
};

const manual: Case = {
  says: 'a typed number: MANUAL, if the terminal supports it',
  run: (subject) =>
    withReader(subject, { customer: { card: testCard('visa-credit'), by: 'manual' } }, async (counter) => {
      const outcome = await counter.read({ accept: ['manual'] });
      if (outcome.kind === 'notRead') {
        assert.equal(outcome.why, 'cardUnsupported');
        return 'not offered';
      }
      const card = cardOf(outcome);
      assert.equal(card.entryMode, 'MANUAL');
      assertNoNumber(card);
      const answer = await authorise(card);
      assert.equal(answer.details['AcquirerResponse'], '00');
      const verdict = await counter.wait(counter.complete({ kind: 'approved' }));
      assert.equal(verdict.kind, 'none');
      return 'MANUAL';
    }),
};

const aesKeys: Case[] = (['aes128Dukpt', 'aes256Dukpt'] as const).flatMap((scheme) =>
  (['chip', 'swipe'] as const).map((by) => ({
    says: `keys of AES DUKPT, ${scheme.slice(3, 6)} bits, by ${by}: the issuer decrypts card data and PIN`,
    run: (subject) => {
      const customer = { card: testCard(by === 'chip' ? 'visa-credit' : 'visa-stripe'), by };
      const keys = createKeySlots({ random: seededRandom(5), scheme });
      return withReader(subject, { customer, keys }, async (counter) => {
        const { card, code } = await sell(counter);
        assert.equal(card.sred[0]?.ksn.length, 24);
        assert.equal(code, '00');
        return code;
      });
    },
  })),
);

const refund: Case = {
  says: 'a refund by chip, which the issuer credits',
  run: (subject) =>
    withReader(subject, {}, async (counter) => {
      const { code } = await sell(counter, { kind: 'refund' });
      assert.equal(code, '00');
      return code;
    }),
};

type Word = readonly [name: TestCardName, host: HostVerdict['kind'], expected: string];

const issuerCases: readonly Word[] = [
  ['visa-credit', 'approved', 'approved'],
  ['visa-credit', 'declined', 'declined'],
  ['mastercard-credit', 'declined', 'declined'],
  ['visa-refusing-chip', 'approved', 'declined'],
  ['visa-strict', 'unableToGoOnline', 'declined'],
  ['visa-no-cvm', 'unableToGoOnline', 'approved'],
];

const lastWords: Case[] = issuerCases.map(([name, host, expected]) => ({
  says: `${name}, host ${host}: the chip says ${expected}`,
  run: (subject) =>
    withReader(subject, { customer: { card: testCard(name), by: 'chip' } }, async (counter) => {
      cardOf(await counter.read());
      const verdict = await counter.wait(counter.complete({ kind: host } as HostVerdict));
      assert.equal(verdict.kind, expected);
      if (verdict.kind === 'approved') assert.notEqual(verdict.cryptogram?.kind, 'AAC');
      assert.equal(await counter.wait(counter.terminal.waitForRemoval(30_000)), true);
      return verdict.kind;
    }),
}));

const forged: Case = {
  says: 'issuer data that is not genuine: the chip declines',
  run: (subject) =>
    withReader(subject, { customer: { card: testCard('mastercard-credit'), by: 'chip' } }, async (counter) => {
      const answer = await authorise(cardOf(await counter.read()));
      const icc = (answer.iccDataResponse ?? '').replace(/(91..)(..)/, (_, tag: string, byte: string) =>
        byte === '00' ? `${tag}01` : `${tag}00`,
      );
      const verdict = await counter.wait(counter.complete({ kind: 'approved', icc }));
      assert.equal(verdict.kind, 'declined');
      return verdict.kind;
    }),
};

const byItself: Case[] = [
  {
    says: 'a chip that approves by itself: TC at the first GENERATE AC',
    run: (subject) =>
      withReader(subject, { customer: { card: testCard('visa-no-cvm'), by: 'chip' } }, async (counter) => {
        const outcome = await counter.read({ minor: 2_500n });
        assert.equal(whatOf(outcome), 'approvedOffline');
        const card = cardOf(outcome);
        assert.equal(card.entryMode, 'ICC');
        assertNoNumber([card, counter.lines]);
        assert.equal(await counter.wait(counter.terminal.waitForRemoval(30_000)), true);
        return whatOf(outcome);
      }),
  },
  {
    says: 'a chip that declines by itself: AAC, and no fallback to the stripe',
    run: async (subject) => {
      // The terminal's denial code requests an AAC from the floor limit on.
      const config = { actionCodes: { denial: '0000008000', online: '0000000000' } };
      const counter = await new Counter(subject, { config }).open();
      const outcome = await counter.read();
      assert.equal(whatOf(outcome), 'declinedOffline');
      assert(!counter.events.includes('useStripe'), 'the stripe was requested');
      assert.equal(await counter.wait(counter.terminal.waitForRemoval(30_000)), true);
      assert.equal(whatOf(await counter.read({ minor: 4_900n })), 'goOnline', 'under the floor limit it goes on');
      await counter.close();
      return whatOf(outcome);
    },
  },
];

const forwards: Case[] = [
  {
    says: 'the chip approves when the host is not reached: the issuer accepts the record later',
    run: (subject) =>
      withReader(subject, { customer: { card: testCard('visa-no-cvm'), by: 'chip' } }, async (counter) => {
        const card = cardOf(await counter.read());
        const verdict = await counter.wait(counter.complete({ kind: 'unableToGoOnline' }));
        if (verdict.kind !== 'approved') assert.fail(verdict.kind);
        // If the last cryptogram is unreadable, the encrypted data that contains it replaces the first.
        const last = verdict.sred === undefined ? card : { ...card, sred: [verdict.sred] };
        const code = await forward(counter, { card: last, finalIcc: verdict.icc });
        assert.equal(code, '00');
        return code;
      }),
  },
  {
    says: 'the chip approves by itself: the issuer accepts the record later',
    run: (subject) =>
      withReader(subject, { customer: { card: testCard('visa-no-cvm'), by: 'chip' } }, async (counter) => {
        const outcome = await counter.read({ minor: 2_500n });
        assert.equal(whatOf(outcome), 'approvedOffline');
        const code = await forward(counter, { card: cardOf(outcome), minor: 2_500n });
        assert.equal(code, '00');
        return code;
      }),
  },
];

export const cards: readonly Case[] = [
  ...entryModes,
  wrongPin,
  manual,
  ...aesKeys,
  refund,
  ...lastWords,
  forged,
  ...byItself,
  ...forwards,
];
