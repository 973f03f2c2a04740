/** A text from a card, a terminal or a gateway that contains a card number reaches the journal without it. */
import { expect, test } from 'vitest';
import type { CardData } from '../../drivers/terminal.ts';
import { scanForCardData } from '../support/leaks/leak-scan.ts';
import { type Rig, type RunParts, tapCard, tillRig } from '../support/till/till-rig.ts';

const PAN = '4761739001010010';

const rows: [says: string, card: CardData, around: (rig: Rig) => RunParts][] = [
  ['a label with the number', { ...tapCard, label: `VISA ${PAN}` }, () => ({})],
  ['a masked number that is not masked', { ...tapCard, maskedPan: PAN }, () => ({})],
  ['a field that a driver adds to the card data', { ...tapCard, track2: `${PAN}=31122010000` } as CardData, () => ({})],
  [
    'a status text with the number',
    tapCard,
    ({ host }) => ({
      host: {
        ...host,
        async pay(parameters, key) {
          const reply = await host.pay(parameters, key);
          if (reply.kind !== 'answered') return reply;
          return { ...reply, body: { ...reply.body, pos: { statusText: `APPROVED ${PAN}` } } };
        },
      },
    }),
  ],
  [
    'a terminal fault whose text contains the number',
    tapCard,
    () => ({
      terminal: (terminal) => ({
        ...terminal,
        read: async () => {
          throw new Error(`unexpected answer ;${PAN}=31122010000?`);
        },
      }),
    }),
  ],
];

test.each(rows)('%s', async (_, card, around) => {
  const rig = tillRig(card);
  try {
    const run = rig.open(around(rig));
    await rig.clock.until(run.sell(1_000n).done);
    expect(run.journal.length).toBeGreaterThan(1);
    // Searched for while the till runs, including the write-ahead log, and once more afterwards.
    expect(scanForCardData({ roots: [rig.folder], needles: [PAN] })).toEqual([]);
    run.close();
    expect(scanForCardData({ roots: [rig.folder], needles: [PAN] })).toEqual([]);
  } finally {
    rig.remove();
  }
});
