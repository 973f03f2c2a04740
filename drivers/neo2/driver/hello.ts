/** The first words with a reader: it stops what it does, says what it is, and takes the settings this driver needs. */
import { asSimulated, isSimulated } from '../../simulated.ts';
import type { TerminalInfo } from '../../terminal.ts';
import { bootNotices } from '../protocol/commands.ts';
import { neo2Tlv } from '../protocol/tlv.ts';
import type { Neo2Device } from './device.ts';

/** Stops the reader, reads what it is, and settles it. Throws the faults of link and device. */
export const greet = async (device: Neo2Device): Promise<TerminalInfo> => {
  // First of all: any other command would be taken for a cancel by a reader that still waits for a card.
  await device.wish('cancel', {});
  await device.need('ping', {});
  const { text: serial } = await device.need('serial', {});
  const version = (await device.wish('version', {}))?.text ?? '';
  const firmware = (await device.wish('firmware', {}))?.text ?? version;
  await settle(device);
  return {
    model: modelIn(`${version} ${firmware}`),
    serial: serial.trim(),
    firmware: firmware.trim(),
  };
};

const modelIn = (said: string): string => {
  const model = /\b(VP\d{4}\w*|Kiosk \w+|VIVOpay \w+)/i.exec(said)?.[0] ?? 'ID TECH';
  return isSimulated({ model: said, serial: '' }) ? asSimulated(model) : model;
};

/** Cards on demand only, no bursts of data nobody asked for, and a word at every restart. */
export const settle = async (device: Neo2Device): Promise<void> => {
  device.restarted = false;
  await device.need('pollMode', { mode: 1 });
  await device.wish('configure', { tlvs: [neo2Tlv('DFEE7E', '00')] });
  await device.wish('bootNotice', { on: bootNotices.frame });
};
