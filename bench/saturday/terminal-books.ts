/**
 * The records of the simulated terminals on a busy Saturday, written to the disk before a till learns of them, so that
 * a terminal that is killed still knows them: the cryptograms of a reader's cards, and the payments of a ZVT terminal,
 * which has its own host.
 */
import { appendFileSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import type { Link } from '../../drivers/links/link.ts';
import { createWallet, virtualCard, type Wallet } from '../../drivers/simulation/card.ts';
import type { CryptogramKind } from '../../drivers/simulation/chip.ts';
import type { Model } from '../../drivers/simulation/simulator.ts';
import { type Memory, memoryOf, type StoredTransaction } from '../../drivers/zvt/simulator/memory.ts';
import { toHex } from '../../src/base/hex.ts';
import type { CustomerName } from './customers.ts';
import type { Protocol } from './plan.ts';

/** `counter` starts at 0. `speed`: the speed of people and devices compared with reality. */
export type TerminalOrder = { protocol: Protocol; port: number; counter: number; folder: string; speed: number };
/**
 * The next customer at this counter, and for a card used at several counters the last transaction counter of its chip.
 * The process returns the counter once it has read the message.
 */
export type NextCustomer = { counter: number; customer: CustomerName | 'unpaid'; lastAtc?: number };

export const bookFile = (folder: string, counter: number): string => join(folder, `terminal-T${counter + 1}.book`);

/** A card was presented, and its chip's signature then: `TC` is an approval, `ARQC` a request to the bank. */
type CardLine = { card: string } & ({ on: 'presented' } | { on: 'signed'; kind: CryptogramKind; minor: string });

export type Signature = { card: string; kind: CryptogramKind; minor: bigint };

const linesOf = (file: string): CardLine[] =>
  existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .flatMap((line) => (line === '' ? [] : [JSON.parse(line) as CardLine]))
    : [];

export const signaturesIn = (file: string): Signature[] =>
  linesOf(file).flatMap((line) =>
    line.on === 'signed' ? [{ card: line.card, kind: line.kind, minor: BigInt(line.minor) }] : [],
  );

/**
 * Cards whose cryptograms are recorded in the file. Their transaction counters continue from there, except for cards
 * used elsewhere meanwhile: an issuer refuses a counter that it has seen.
 */
export const bookedCards = (file: string, lastAtcOf: (card: string) => number | undefined): Wallet => {
  const useCounts = new Map<string, number>();
  for (const { card, on } of linesOf(file)) if (on === 'presented') useCounts.set(card, (useCounts.get(card) ?? 0) + 1);
  const write = (line: CardLine): void => appendFileSync(file, `${JSON.stringify(line)}\n`);
  return (facts) => {
    const card = facts.says;
    const atcBefore = Math.max(useCounts.get(card) ?? 0, lastAtcOf(card) ?? 0);
    useCounts.set(card, atcBefore + 1);
    write({ on: 'presented', card });
    const chip = virtualCard(facts, { lastAtc: atcBefore });
    let minor: string | undefined;
    return {
      ...chip,
      generate(kind, data) {
        const answer = chip.generate(kind, data);
        // Each test card's first list starts with the amount, tag 9F02: six bytes of digits.
        minor ??= BigInt(toHex(data.subarray(0, 6))).toString();
        if (answer !== undefined) write({ on: 'signed', card, kind: answer.kind, minor });
        return answer;
      },
    };
  };
};

/** One approved transaction of a ZVT terminal. */
export type BookedPayment = Pick<StoredTransaction, 'kind' | 'amountMinor' | 'receipt' | 'trace'>;
type TerminalState = { memory: Omit<Memory, 'sockets' | 'served'>; bookedPayments: BookedPayment[] };

export const bookedPaymentsIn = (file: string): BookedPayment[] =>
  existsSync(file) ? (deserialize(readFileSync(file)) as TerminalState).bookedPayments : [];

/** The model with a memory that survives its process, and the cards that belong to it. */
export const persistentTerminal = (model: Model, { file, serial }: { file: string; serial: string }) => {
  const cards = createWallet();
  const memory = memoryOf(cards, serial);
  const savedState = existsSync(file) ? (deserialize(readFileSync(file)) as TerminalState) : undefined;
  if (savedState !== undefined) Object.assign(memory, savedState.memory);
  const bookedPayments = savedState?.bookedPayments ?? [];
  const recorded = new Set(memory.day);
  let saved = '';
  const save = (): void => {
    const { numbers, day, last, acknowledged, approved } = memory;
    const marks = [numbers.receipt, numbers.trace, day.length, last?.trace, acknowledged?.trace, approved?.reversed];
    if (marks.join() === saved) return;
    saved = marks.join();
    for (const transaction of day) {
      if (recorded.has(transaction)) continue;
      recorded.add(transaction);
      const { kind, amountMinor, receipt, trace } = transaction;
      bookedPayments.push({ kind, amountMinor, receipt, trace });
    }
    const { sockets: _, served: __, ...persistentMemory } = memory;
    writeFileSync(`${file}.new`, serialize({ memory: persistentMemory, bookedPayments } satisfies TerminalState));
    renameSync(`${file}.new`, file);
  };
  const savingLink = (link: Link): Link => ({
    name: link.name,
    carries: link.carries,
    write(bytes) {
      save();
      return link.write(bytes);
    },
    listen: (listener) => link.listen(listener),
    close: () => link.close(),
  });
  const stored: Model = Object.assign(
    (link: Link, options: Parameters<Model>[1]) => model(savingLink(link), options),
    model,
  );
  return { model: stored, wallet: cards };
};
