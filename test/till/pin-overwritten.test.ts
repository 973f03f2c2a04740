/** The bytes of an encrypted PIN, and of the account beside it, are zeros once the sale is over, however it ended. */
import { afterEach, expect, test } from 'vitest';
import type { CardData, ChipVerdict } from '../../drivers/terminal.ts';
import { fromHex } from '../../src/base/hex.ts';
import type { Fate } from '../support/till/bookkeeping-host.ts';
import { textParameters } from '../support/till/card-parameters.ts';
import { chipCard, diskFull, eur, type Rig, tillRig } from '../support/till/till-rig.ts';

let rig: Rig;
afterEach(() => rig.remove());

const ksn = 'FFFF9876543210E0000A';
const card = (): CardData => ({
  ...chipCard,
  sred: [{ data: fromHex('CAFED00DCAFED00D'), ksn }],
  pin: { data: fromHex('C0FFEE5A17B10C99'), ksn },
  verification: 'onlinePin',
});

/** Every ciphertext that the terminal returned. */
const opened = (how: { unwritable?: true; cancels?: true } = {}) => {
  rig = tillRig(card());
  const input: Uint8Array[] = [];
  const sent: (string | undefined)[] = [];
  const run = rig.open({
    host: {
      ...rig.host,
      pay(parameters, key) {
        sent.push(textParameters(parameters)['pos.encryptedPin.data']);
        return rig.host.pay(parameters, key);
      },
    },
    terminal: (terminal) => ({
      ...terminal,
      async read(request, notify) {
        const outcome = await terminal.read(request, notify);
        if (outcome.kind !== 'notRead')
          input.push(...[outcome.card.pin, ...outcome.card.sred].flatMap((each) => each?.data ?? []));
        if (how.cancels) running.cancel();
        return outcome;
      },
      async complete(verdict): Promise<ChipVerdict> {
        const finished = await terminal.complete(verdict);
        if (finished.kind !== 'approved') return finished;
        const data = fromHex('EF01EF01EF01EF01');
        input.push(data);
        return { ...finished, sred: { data, ksn } };
      },
    }),
    ...(how.unwritable && {
      ledger: (ledger) => ({
        ...ledger,
        record(sale, event, message) {
          if (event.on === 'cardRead') throw diskFull();
          ledger.record(sale, event, message);
        },
      }),
    }),
  });
  const running = run.till.sell({ amount: eur(1_000n) }, () => {});
  return { run, input, sent, done: running.done };
};

const isGone = (inputs: readonly Uint8Array[]): boolean =>
  inputs.length >= 2 && inputs.every((bytes) => bytes.length > 0 && bytes.every((byte) => byte === 0));

const fates: readonly [Fate, string][] = [
  ['answered', 'approved'],
  ['notReached', 'notSent'],
  // Sent once more, with the entered PIN.
  ['requestLost', 'approved'],
  ['answerLost', 'approved'],
];

test.each(fates)('gateway %s: %s', async (fate, ending) => {
  const { run, input, sent, done } = opened();
  rig.fates.push(fate);
  expect((await rig.clock.until(done)).ending).toBe(ending);
  expect(new Set(sent)).toEqual(new Set(['C0FFEE5A17B10C99']));
  if (fate === 'requestLost') expect(sent).toHaveLength(2);
  expect(isGone(input)).toBe(true);
  run.close();
});

test('a sale that was cancelled after its PIN entry', async () => {
  const { run, input, done } = opened({ cancels: true });
  expect((await rig.clock.until(done)).ending).toBe('notSent');
  expect(isGone(input)).toBe(true);
  run.close();
});

test('a sale that cannot be recorded', async () => {
  const { run, input, done } = opened({ unwritable: true });
  await expect(rig.clock.until(done)).rejects.toThrow();
  expect(isGone(input)).toBe(true);
  run.close();
});
