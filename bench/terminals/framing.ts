/** How fast each protocol parses a stream in pieces of 64 bytes, compared with the closest parser of serialport. */
import { DelimiterParser, PacketLengthParser, SlipDecoder } from 'serialport';
import { cutter } from '../../drivers/framing/framer.ts';
import {
  encodeMmsReports,
  encodeSlip,
  mmsReportReader,
  slipFrameMax,
  slipFramer,
} from '../../drivers/framing/mms-frame.ts';
import { encodeNeo2Frame, neo2FrameMax, neo2Framer } from '../../drivers/framing/neo2-frame.ts';
import { encodeZvtFrame, zvtFrameMax, zvtSerialFramer } from '../../drivers/framing/zvt-frame.ts';
import { encodeMpiBlock, mpiBlockFramer, mpiBlockMax } from '../../drivers/mpi/protocol/messages.ts';
import { measure, median } from '../result.ts';

const PIECE_BYTES = 64;
const STREAM_BYTES = 262_144;
const MESSAGE_MAX = 65_536;

export type FramingBench = {
  name: string;
  /** Millions of bytes per second. */
  mbPerSecond: number;
  peer?: { name: string; mbPerSecond: number };
};

type Sink = { push(bytes: Uint8Array): readonly unknown[] };
type Parser = { write(chunk: Buffer): boolean; on(event: 'data', listener: (data: unknown) => void): unknown };
type Case = { name: string; frame: Uint8Array; open: () => Sink; peer?: { name: string; open: () => Parser } };

/** About as long as a chip's answer, with every byte value in it. */
const message = (length: number): Uint8Array => Uint8Array.from({ length }, (_, index) => (index * 7) & 0xff);

const cases: readonly Case[] = [
  {
    name: 'MPI blocks of 204 bytes',
    frame: encodeMpiBlock({ nad: 1, more: false, unsolicited: false, body: message(200) }),
    open: () => cutter(mpiBlockFramer, mpiBlockMax),
    // The package uses only the length; neither side verifies the checksum.
    peer: {
      name: 'parser-packet-length',
      open: () => new PacketLengthParser({ delimiter: 1, packetOverhead: 4, lengthBytes: 1, lengthOffset: 2 }),
    },
  },
  {
    name: 'MMS over SLIP, messages of 600 bytes',
    frame: encodeSlip({ info: 2, message: message(600) }),
    open: () => cutter(slipFramer, slipFrameMax(MESSAGE_MAX)),
    peer: { name: 'parser-slip-encoder', open: () => new SlipDecoder() },
  },
  {
    name: 'MMS over HID reports, messages of 600 bytes',
    frame: encodeMmsReports(message(600)),
    open: () => mmsReportReader(MESSAGE_MAX),
  },
  {
    name: 'NEO 2 frames of 400 bytes',
    frame: encodeNeo2Frame(
      { header: 'ViVOtech2', command: 0x02, status: 0x23, data: message(384) },
      { from: 'reader' },
    ),
    open: () => cutter(neo2Framer({ from: 'reader' }), neo2FrameMax),
    // The package finds only the header, and ignores the length.
    peer: { name: 'parser-delimiter', open: () => new DelimiterParser({ delimiter: 'ViVOtech2\0' }) },
  },
  {
    name: 'ZVT serial frames of 200 bytes',
    frame: encodeZvtFrame({ code: '04FF', data: message(200) }),
    open: () => cutter(zvtSerialFramer, zvtFrameMax),
    peer: { name: 'parser-delimiter', open: () => new DelimiterParser({ delimiter: Buffer.from([0x10, 0x03]) }) },
  },
];

export const benchFraming = (): FramingBench[] => cases.map(benchCase);

const benchCase = ({ name, frame, open, peer }: Case): FramingBench => {
  const frames = Math.ceil(STREAM_BYTES / frame.length);
  const stream = Buffer.concat(Array.from({ length: frames }, () => frame));
  const pieces = Array.from({ length: Math.ceil(stream.length / PIECE_BYTES) }, (_, index) =>
    stream.subarray(index * PIECE_BYTES, (index + 1) * PIECE_BYTES),
  );
  const sink = open();
  const runOurs = (): void => {
    let offset = 0;
    for (const piece of pieces) offset += sink.push(piece).length;
    // Speed without correctness is worth nothing.
    if (offset !== frames) throw new Error(`${name}: ${offset} frames of ${frames}`);
  };
  const mb = stream.length / 1e6;
  if (peer === undefined) return { name, mbPerSecond: median(Array.from({ length: 7 }, () => rateOf(runOurs))) * mb };
  const parser = peer.open();
  let receivedCount = 0;
  parser.on('data', () => {
    receivedCount += 1;
  });
  const runPeer = (): void => {
    for (const piece of pieces) parser.write(piece);
  };
  const rates = measure(runOurs, runPeer, { rounds: 5, roundMs: 100, warmUpMs: 100 });
  if (receivedCount === 0) throw new Error(`${name}: the peer found nothing`);
  return { name, mbPerSecond: rates.ours * mb, peer: { name: peer.name, mbPerSecond: rates.peer * mb } };
};

const rateOf = (work: () => void): number => measure(work, () => {}, { rounds: 1, roundMs: 100, warmUpMs: 50 }).ours;
