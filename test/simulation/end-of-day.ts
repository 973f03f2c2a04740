/** The end of a day: everything works again, and whatever was open must end by itself. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { errorText, isFault } from '../../src/base/fault.ts';
import { billOfSale } from '../../src/ledger/bills.ts';
import { takeOver } from './hand-over.ts';
import { checkDevice, reportOpenSales } from './integrated-terminal.ts';
import { checkJournal, checkSales, saleOf, stateText } from './ledger-check.ts';
import { checkSealed } from './sealed-messages.ts';
import { checkSecondCopy } from './second-copy.ts';
import { checkSettlement } from './settlement.ts';
import type { Station } from './station.ts';
import type { Store } from './store.ts';
import { REQUEST_LIFE_MS } from './till-run.ts';
import { secretsIn } from './watched-writes.ts';

export const endDay = async (store: Store, stations: readonly Station[]): Promise<void> => {
  if (store.problems.length > 0) return;
  store.heal();
  await waitOneRequest(store);
  const [first, second] = stations;
  for (const station of stations) {
    // On one day in five a till is dead: its neighbour sends the unsent payments before it starts again.
    if (station === second && first?.isUp && store.seed % 5 === 0) await takeOver(station, first);
    if (station.isUp) await station.stop();
    // Somebody notices that the till's clock is wrong, and sets it.
    station.clockShift.jumpMs = 0;
    await station.start();
    await settle(station);
    reportOpenSales(station);
    checkJournal(station);
    checkSales(station, station.acknowledged.keys(), true);
    checkDevice(station);
    checkBills(station);
    await closeBooks(station);
    await checkSettlement(station);
    checkQueue(station);
    for (const sale of station.run.running.ledger.all()) station.endings.push(stateText(sale));
    station.run.running.journal.tidy();
    checkDisk(station);
  }
  checkUnknownPayments(store, stations);
  if (first?.isUp && store.seed % 6 === 0 && store.problems.length === 0) await checkSecondCopy(first);
};

const waitOneRequest = ({ clock }: Store): Promise<void> =>
  new Promise((resolve) => clock.after(REQUEST_LIFE_MS, resolve));

const checkQueue = ({ run, report: breaks }: Station): void => {
  const { outbox } = run.running;
  for (const { kind, note } of [...outbox.waiting(), ...outbox.parked()])
    breaks(`a ${kind} was left in the queue: ${note}`);
};

/** Everything was answered: no card data, no sealed content and no key of it may remain anywhere on the disk. */
const checkDisk = (station: Station): void => {
  for (const [file, bytes] of station.disk.files())
    for (const mark of secretsIn(bytes)) station.report(`${mark} is in ${file}`);
  checkSealed(station);
  for (const file of filesIn(station.folder)) {
    const bytes = readFileSync(file);
    for (const mark of secretsIn(bytes)) station.report(`${mark} is in ${file}`);
    const plaintextCount = station.sealed.filter((sealed) => bytes.includes(sealed.bytes)).length;
    if (plaintextCount > 0) station.report(`${plaintextCount} sealed records or keys of answered sales are in ${file}`);
  }
};

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => join(folder, file))
    .filter((file) => statSync(file).isFile());

/** No bill is paid twice, and the till and the issuer agree on each. */
const checkBills = (station: Station): void => {
  const { ledger, journal, config } = station.run.running;
  const { books } = station.store.issuer;
  for (const [id, total] of station.bills) {
    const legs = [...ledger.all()].filter(({ intent }) => intent.bill?.id === id);
    const [sale] = legs;
    if (sale === undefined || sale.intent.by === 'terminal') continue;
    const billSaleIds = new Set(legs.map(({ intent }) => intent.sale));
    const paidMinor = books
      .filter((each) => billSaleIds.has(each.merchantTransactionId) && each.paymentType === 'DB' && isApproved(each))
      .filter((each) => !books.some((other) => other.of === each.id && other.paymentType === 'RV' && isApproved(other)))
      .reduce((all, { amount }) => all + Number(amount.replace('.', '')), 0);
    if (paidMinor > total) station.report(`a bill of ${total} was paid with ${paidMinor}`);
    const tillPaidMinor = billOfSale({ ledger, journal, config }, saleOf(station, sale.intent.sale) ?? sale)?.paid
      .minor;
    if (tillPaidMinor !== BigInt(paidMinor))
      station.report(`of a bill of ${total}, ${tillPaidMinor} is paid at the till and ${paidMinor} at the issuer`);
  }
};

const isApproved = ({ code }: { code: string }): boolean => code === '000.100.110';

/** The day's batch closes without a person's confirmation of open money. */
const closeBooks = async (station: Station): Promise<void> => {
  try {
    await station.run.running.books.close();
  } catch (error) {
    if (!isFault(error, 'books.nothingToClose')) station.report(`the batch does not close: ${errorText(error)}`);
  }
};

const PASSES_MOST = 20;

/** Does what a person would do about unknown answers. */
export const settle = async ({ run, store }: Station): Promise<void> => {
  const { outbox, forwarder, till } = run.running;
  outbox.unpark(run.clock.now());
  await till.settleAtTerminal();
  for (let n = 0; n < PASSES_MOST && outbox.waiting().length > 0; n++) {
    await forwarder.drain('all');
    await waitOneRequest(store);
  }
};

/** The issuer's books contain nothing that no till knows. */
const checkUnknownPayments = (store: Store, stations: readonly Station[]): void => {
  const knownIds = new Set(stations.flatMap(({ acknowledged }) => [...acknowledged.keys()]));
  for (const { id, paymentType, merchantTransactionId } of store.issuer.books)
    if (!knownIds.has(merchantTransactionId))
      store.problems.push(`the issuer has ${paymentType} ${id} of ${merchantTransactionId}, which no till knows`);
};
