/**
 * A till on a disk whose power is cut again and again: while it sells, while the line is down and sales are stored,
 * while the queue is sent, while batches are closed. After each cut everything open is ended before the next begins.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { printMoney } from '../../../../src/base/money.ts';
import { testCard } from '../../../../src/emv/test-cards.ts';
import type { Sale } from '../../../../src/ledger/outcome.ts';
import { expect, terminalOf } from './counter.ts';
import { Shop } from './shop.ts';
import { note, type Scene } from './tap.ts';
import { makes, type UsbTerminal } from './terminals.ts';

const folder = '/disk/till';
/** The serial number of the only terminal, before and after a cut. */
const serial = '17009999';

/** What the till does when the power is cut, in this order, and the output that shows it has begun. */
export const phases = {
  selling: { says: 'it sells', begun: /shown: receipt 3 / },
  storing: { says: 'the line is down and it stores its sales', begun: /stored: 3$/ },
  sending: { says: 'it sends what it stored', begun: /sent: 1$/ },
  closing: { says: 'it closes its batch', begun: /closing$/ },
} as const;
export type Phase = keyof typeof phases;

/** The customers of the first phase, again and again; the bank declines the last of them. */
const customers = [
  { card: 'mastercard-tap', by: 'tap' },
  { card: 'mastercard-tap', by: 'tap' },
  { card: 'visa-poor', by: 'chip' },
] as const;
const presentNext = customers[0];

/** Must not be on the disk. */
export const cardNumbers = customers.map(({ card }) => testCard(card).pan);

/** How far the card counters of each boot are above those of the previous one. */
const CARDS_APART = 1_000;

/** What the host compares before and after a cut: written to the console only once the till has shown it. */
const saleLine = (mark: 'shown' | 'kept', sale: Sale): string => {
  const ending = sale.at === 'ended' ? sale.ending : sale.at;
  return `${mark}: receipt ${sale.intent.receipt} ${ending} ${printMoney(sale.intent.amount)}`;
};

const mount = (): void => {
  if (existsSync('/disk/lost+found')) return;
  const { status, stderr } = spawnSync('busybox', ['mount', '-t', 'ext4', '/dev/vda', '/disk'], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`the disk cannot be mounted: ${stderr}`);
};

const connectTerminal = async (lastAtc: number): Promise<UsbTerminal> => {
  const terminal = terminalOf(makes.mpi, { serial, lastAtc });
  await terminal.plugIn(0);
  return terminal;
};

/** A store that sells without its line as long as it has to. */
const newTill = async (terminal: UsbTerminal): Promise<void> => {
  await Shop.pair(folder, await terminal.address());
  const file = join(folder, 'till.json');
  const config = JSON.parse(readFileSync(file, 'utf8')) as object;
  const kind = { upTo: '500.00', total: '9000.00', count: 500 };
  const offline = { chip: kind, deferred: kind, keepFreeMegabytes: 1, withoutDataAuthentication: true };
  writeFileSync(file, JSON.stringify({ ...config, offline }));
};

/** Does this phase's work endlessly, until the machine is cut. */
export const workUntilCut = async (phase: Phase): Promise<void> => {
  mount();
  const terminal = await connectTerminal((Object.keys(phases).indexOf(phase) * 2 + 1) * CARDS_APART);
  if (!existsSync(folder)) await newTill(terminal);
  const shop = await Shop.open(folder);
  for (let turn = 0; ; turn++) {
    const customer = phase === 'selling' ? (customers[turn % customers.length] ?? presentNext) : presentNext;
    await works[phase]({ shop, turn, sell: (amount) => sell({ shop, terminal, customer }, amount) });
  }
};

type Work = { shop: Shop; turn: number; sell(amount: string): Promise<void> };

const works: Readonly<Record<Phase, (work: Work) => Promise<void>>> = {
  selling: ({ turn, sell }) => sell(`${11 + turn}.00`),
  async storing({ shop, turn, sell }) {
    shop.line.isDown = true;
    await sell(`${11 + turn}.00`);
    note(`stored: ${turn + 1}`);
  },
  async sending({ shop, sell }) {
    shop.line.isDown = true;
    for (let n = 0; n < STORED; n++) await sell(`${31 + n}.00`);
    Object.assign(shop.line, { isDown: false, slowMs: 400 });
    await shop.till.forwarder.drain('all', ({ done }) => note(`sent: ${done}`));
  },
  async closing({ shop, turn, sell }) {
    await sell(`${21 + turn}.00`);
    note('closing');
    const { batch } = await shop.till.books.close();
    note(`shown: batch ${batch} closed`);
  },
};

const STORED = 8;

type Customer = { shop: Shop; terminal: UsbTerminal; customer: (typeof customers)[number] };

const sell = async ({ shop, terminal, customer }: Customer, amount: string): Promise<void> => {
  terminal.present(customer);
  const { sale } = await shop.sell(amount);
  note(saleLine('shown', sale));
};

/** After the cut: every sale has an ending, till and gateway agree, the chain holds, and the next sale is approved. */
export const afterCut = (phase: Phase): Scene => ({
  name: `after a power cut while ${phases[phase].says} no sale is lost, doubled or open`,
  async play() {
    mount();
    const shop = await Shop.open(folder);
    note(`${shop.till.recovered.length} sales were open`);
    await shop.account();
    for (const sale of shop.till.ledger.all()) note(saleLine('kept', sale));
    for (const { batch, z } of shop.till.books.batches()) if (z !== undefined) note(`kept: batch ${batch} closed`);
    const terminal = await connectTerminal((Object.keys(phases).indexOf(phase) * 2 + 2) * CARDS_APART);
    terminal.present(presentNext);
    const { sale: endedSale } = await shop.sell('1.00');
    expect(endedSale.ending === 'approved', `the next sale is ${endedSale.ending}`);
    note(saleLine('shown', endedSale));
    await shop.account();
    await shop.close();
    verify();
  },
});

/** By the verifier, which shares no code with the writer. */
const verify = (): void => {
  const program = fileURLToPath(import.meta.resolve('../../../../src/journal/verifier/main.ts'));
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [...process.execArgv, program, join(folder, 'journal.db')],
    { encoding: 'utf8' },
  );
  note(`the verifier: ${stdout.trim()}`);
  expect(status === 0, `the verifier ends with ${status}: ${stdout}${stderr}`);
};
