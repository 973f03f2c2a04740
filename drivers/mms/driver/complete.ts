/** The host's word, given to the card for its last cryptogram; a stripe or a tap only ends with it. */
import { Fault } from '../../../src/base/fault.ts';
import type { ChipVerdict, HostVerdict, LastWord } from '../../terminal.ts';
import { arpcBlock } from '../protocol/arpc.ts';
import { type MmsBlock, takeSealed } from '../protocol/blocks.ts';
import { harmless, lastWordOf } from '../protocol/card-data.ts';
import type { EndName } from '../protocol/notices.ts';
import { statusRow, succeeded } from '../protocol/status.ts';
import { type MmsDevice, refused } from './device.ts';

/** How long card and device may take over the host's word. */
const endMs = 30_000;
/** How long the batch data may come after the end, or the end after the batch data. */
const restMs = 5_000;

/** What came of it: the device's word, the card's decision, or neither. */
type Ending = { how?: EndName; batch?: MmsBlock };

/** `asked`: the block with which the card asked. `chip`: the card is in the slot and has the last word. */
export const complete = async (
  device: MmsDevice,
  verdict: HostVerdict,
  at: { asked: MmsBlock; chip: boolean },
): Promise<ChipVerdict> => {
  const { arpc, leftOut } = arpcBlock(at.asked.serial, verdict);
  for (const why of leftOut) device.tools.report(why);
  const { status } = await device.ask('resume', { from: 0, arpc });
  const late = !succeeded(status);
  if (late) device.tools.report(refused('resume', status));
  // The device did not wait: what it decided alone has been told, or will not be.
  const over = late && statusRow(status).means === 'noTransaction';
  const ending = await collectEnding(device, late ? (over ? 0 : restMs) : endMs);
  if (ending.how === undefined && ending.batch === undefined && !late) {
    // Later words of this transaction must not meet the next one.
    const why = device.end(new Fault('terminal.silent', { command: 'the end of the transaction', ms: endMs }));
    if (at.chip) throw why;
    device.tools.report(why);
  }
  device.events.end();
  if (!at.chip) return { kind: 'none', ...lastWord(ending) };
  return verdictOf(ending, { verdict, late });
};

/** Collects the end and the batch data, which come in either order. */
const collectEnding = async (device: MmsDevice, withinMs: number): Promise<Ending> => {
  const { clock, report } = device.tools;
  const ending: Ending = {};
  let told = false;
  let until = clock.monotonic() + withinMs;
  for (;;) {
    const event = await device.next(() => until);
    if (event === undefined) return ending;
    if (event.kind === 'arqc') report(new Fault('terminal.stray', { bytes: 0 }));
    if (event.kind === 'batch') ending.batch = event.block;
    if (event.kind === 'ended') ending.how = event.how;
    if (ending.how !== undefined && (ending.batch !== undefined || !decided.has(ending.how))) return ending;
    if (told || (event.kind !== 'batch' && event.kind !== 'ended')) continue;
    // The other of the two comes soon. Only once, so that nobody can say the same without end.
    told = true;
    until = clock.monotonic() + restMs;
  }
};

/** Endings that batch data belongs to. */
const decided: ReadonlySet<string> = new Set(['approved', 'declined', 'approvedOffline', 'declinedOffline']);

/** Only a device that says "approved" and a card whose data does not deny it make an approval. */
const verdictOf = ({ how, batch }: Ending, o: { verdict: HostVerdict; late: boolean }): ChipVerdict => {
  const icc = batch === undefined ? '' : harmless(batch);
  // Quick Chip: the card has left before the host was asked.
  if (how === 'deferred') return { kind: 'none' };
  const told = lastWord({ ...(batch && { batch }) });
  if (how === 'declined' || how === 'declinedOffline') return { kind: 'declined', icc, ...told };
  if (how !== 'approved' && how !== 'approvedOffline') return { kind: 'gone' };
  if (batch?.decision === 'declined') return { kind: 'declined', icc, ...told };
  if (batch?.decision === 'failed') return { kind: 'gone' };
  // A card that decided without the host's word is only as good as what the host said.
  if (o.late && o.verdict.kind === 'declined') return { kind: 'gone' };
  const sred = batch && takeSealed(batch);
  return { kind: 'approved', icc, ...told, ...(sred && { sred }) };
};

/** The batch data has in clear what the data before hid. */
const lastWord = ({ batch }: Pick<Ending, 'batch'>): LastWord => (batch === undefined ? {} : lastWordOf(batch));
