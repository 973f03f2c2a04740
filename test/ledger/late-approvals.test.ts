/** Which sales are inquired about late: those that reached no gateway, once they have ended without an approval. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openLedger } from '../../src/ledger/ledger.ts';
import { openOutbox } from '../../src/queue/outbox.ts';
import { sealer } from '../../src/queue/seal.ts';
import type { SaleEvent } from '../../src/till/machine/events.ts';
import { openJournalUnsynced } from '../support/disk/unsynced-sql.ts';
import { chipCard } from '../support/till/till-rig.ts';
import { virtualClock } from '../support/time/virtual-clock.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'late-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const open = () => {
  const clock = virtualClock(1_000_000);
  const journal = openJournalUnsynced(join(folder, 'journal.db'), clock);
  const outbox = openOutbox(
    journal.sql,
    sealer(new Uint8Array(32), (length) => new Uint8Array(length)),
  );
  return { journal, ledger: openLedger({ journal, outbox, clock }) };
};

const { sred: _, icc: __, pin: ___, ...card } = chipCard;
const offline = { kind: 'allowed', chip: true, deferred: false } as const;
const refused = { kind: 'refused', why: 'switched off' } as const;

const begun = (sale: string, receipt: number): SaleEvent => ({
  on: 'intended',
  intent: {
    ...{ sale, key: sale, receipt, sequence: receipt, at: 1_000_000, operation: 'sale', terminalId: '1' },
    ...{ amount: { minor: 100n, currency: 'EUR' }, gateway: 'g' },
  },
});
const online: SaleEvent = { on: 'cardRead', card, decision: 'goOnline', offline };
const notReached: SaleEvent = { on: 'hostNotReached', why: '', offline };

const rows: [string, SaleEvent[], boolean][] = [
  ['not reached, and the chip has not answered yet', [online, notReached], false],
  ['not reached, approved by the chip', [online, notReached, { on: 'chipApproved', chip: {} }], false],
  ['not reached, declined by the chip', [online, notReached, { on: 'chipDeclined', chip: {} }], true],
  ['not reached, the card pulled', [online, notReached, { on: 'chipGone', why: '' }], true],
  ['not reached, and the till restarted', [online, notReached, { on: 'restarted' }], true],
  ['not reached, and going offline is not allowed', [online, { ...notReached, offline: refused }], true],
  [
    'never sent online, declined by the chip',
    [
      { ...online, decision: 'approvedOffline' },
      { on: 'chipDeclined', chip: {} },
    ],
    false,
  ],
];

test.each(rows)('%s', (_name, events, isAsked) => {
  const { journal, ledger } = open();
  for (const event of [begun('s1', 1), ...events]) ledger.record('s1', event);
  expect(ledger.late('all')).toEqual(isAsked ? ['s1'] : []);
  // The index is the same when it is rebuilt from the journal.
  journal.sql.run('DELETE FROM ledger_index');
  journal.close();
  const next = open();
  expect(next.ledger.late('all')).toEqual(isAsked ? ['s1'] : []);
  next.journal.close();
});
