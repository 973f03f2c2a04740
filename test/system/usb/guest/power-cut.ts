/** A till on a disk: sells until the power is cut, and is brought to an end again after it. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { printMoney } from '../../../../src/base/money.ts';
import { testCard } from '../../../../src/emv/test-cards.ts';
import type { Sale } from '../../../../src/runtime/outcome.ts';
import { expect, terminalOf } from './counter.ts';
import { Shop } from './shop.ts';
import { note, type Scene } from './tap.ts';
import { makes } from './terminals.ts';

const folder = '/disk/till';
/** Of the one terminal, before and after. */
const serial = '17009999';

/** The customers before the cut, again and again; the bank declines the last of them. */
const customers = [
  { card: 'mastercard-tap', by: 'tap' },
  { card: 'mastercard-tap', by: 'tap' },
  { card: 'visa-poor', by: 'chip' },
] as const;

/** What must not stand on the disk. */
export const cardNumbers = customers.map(({ card }) => testCard(card).pan);

/** What the host compares before and after: written on the console only once the till showed it. */
const told = (word: 'shown' | 'kept', sale: Sale): string => {
  const ending = sale.at === 'ended' ? sale.ending : sale.at;
  return `${word}: receipt ${sale.intent.receipt} ${ending} ${printMoney(sale.intent.amount)}`;
};

const mount = (): void => {
  const { status, stderr } = spawnSync('busybox', ['mount', '-t', 'ext4', '/dev/vda', '/disk'], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`the disk cannot be mounted: ${stderr}`);
};

/** Sells on and on. Ends with the machine. */
export const sellUntilCut = async (): Promise<void> => {
  if (!existsSync('/disk/lost+found')) mount();
  const terminal = terminalOf(makes.mpi, { serial });
  await terminal.plugIn(0);
  if (!existsSync(folder)) await Shop.pair(folder, await terminal.address());
  const shop = await Shop.open(folder);
  for (let turn = 0; ; turn++) {
    const customer = customers[turn % customers.length];
    if (customer !== undefined) terminal.comes(customer);
    const { ended } = await shop.sell(`${11 + turn}.00`);
    note(told('shown', ended));
  }
};

/** After the cut: every sale has an ending, till and gateway agree, and the next sale is approved. */
export const afterCut: readonly Scene[] = [
  {
    name: 'after a power cut in the middle of selling no sale is lost, doubled or open',
    async play() {
      mount();
      const shop = await Shop.open(folder);
      note(`${shop.till.recovered.length} sales were open`);
      await shop.account();
      for (const sale of shop.till.ledger.all()) note(told('kept', sale));
      // The cards were not there when the power was cut: they go on counting where they were, or beyond.
      const terminal = terminalOf(makes.mpi, { serial, lastAtc: 1_000 });
      await terminal.plugIn(0);
      terminal.comes({ card: 'mastercard-tap', by: 'tap' });
      const { ended } = await shop.sell('1.00');
      expect(ended.ending === 'approved', `the next sale is ${ended.ending}`);
      await shop.account();
      await shop.close();
    },
  },
];
