/** A simulated MPI device on a memory link, with a host that sends raw blocks, or the driver, at the other end. */
import { mpi } from '../../../drivers/mpi/driver/driver.ts';
import { encodeMessage, type MpiPiece, mpiReader } from '../../../drivers/mpi/protocol/messages.ts';
import { mpiSimulator } from '../../../drivers/mpi/simulator/simulator.ts';
import { concat, fromHex, toHex } from '../../../src/base/hex.ts';
import { type BenchOptions, openedOn, poweredOn } from '../../support/devices/driver-bench.ts';

/** A powered-on device and the till's end of its link. */
export const bench = (options: BenchOptions = {}) => poweredOn(mpiSimulator, options);

/** The driver on such a device. */
export const openBench = (options: BenchOptions) => openedOn(bench(options), mpi);

/** A raw host: sends commands and receives messages as hex, notices with a star in front. */
export const rawBench = (options: BenchOptions = {}) => {
  const rig = bench(options);
  const { hostLink, clock } = rig;
  const received: string[] = [];
  const raw: Uint8Array[] = [];
  const reader = mpiReader();
  const take = (piece: MpiPiece): void => {
    if (piece.kind === 'noise') received.push(`noise ${toHex(piece.bytes)}`);
    else received.push(`${piece.unsolicited ? '*' : ''}${toHex(piece.body)}`);
  };
  hostLink.listen({
    bytes: (bytes) => {
      raw.push(bytes);
      for (const piece of reader.push(bytes)) take(piece);
    },
    closed: () => received.push('closed'),
  });
  return {
    ...rig,
    received,
    raw,
    /** Sends a command body, waits, and returns what arrived since the last call. */
    async send(body: string, ms = 0): Promise<string[]> {
      await hostLink.write(encodeMessage(fromHex(body)));
      await clock.advance(ms);
      return received.splice(0);
    },
    /** Sends bytes unchanged. */
    async sendRaw(bytes: string, ms = 0): Promise<string[]> {
      await hostLink.write(fromHex(bytes));
      await clock.advance(ms);
      return received.splice(0);
    },
    async wait(ms: number): Promise<string[]> {
      await clock.advance(ms);
      return received.splice(0);
    },
  };
};

/** DED1 or DEC1 with this amount, as the driver writes it. */
export const startBody = (code: 'DED1' | 'DEC1', amount = '000000009900'): string => {
  const extra = code === 'DED1' ? 'DFA2040101DFA2030100' : '';
  const fields = `9C01009F0206${amount}9A032601029F2103120000${extra}5F2A020978`;
  const template = fromHex(`E0${(fields.length / 2).toString(16).padStart(2, '0')}${fields}`);
  return toHex(concat(fromHex(`${code}0000`), Uint8Array.of(template.length), template));
};
