/** The device that a till is paired with: how it is known again, and where it is written down that it moved. */
import { asSimulated, type TerminalInfo } from '../../drivers/terminal.ts';
import type { Ids } from '../base/ids.ts';
import { changeConfig, type PairedDevice } from '../folder/config.ts';

/** A device's words about itself. A serial number may be as long as a card's: it is kept whole, to know it by. */
export const wordsOfDevice = (text: string): string => text.replace(/\p{C}/gu, '').trim().slice(0, 100);

/**
 * Whether this is the terminal that the till is paired with. Without a serial number its model tells. A simulated
 * terminal that was paired before its model said so is the same one still.
 */
export const isPaired = (info: TerminalInfo, { model, serial }: PairedDevice): boolean =>
  [model, asSimulated(model)].includes(wordsOfDevice(info.model)) && wordsOfDevice(info.serial) === serial;

/** Writes down what the device was heard to speak, where it is still the one that is paired there. */
export const rememberDialects = (
  folder: string,
  dialects: readonly string[],
  { ids, of, device }: { ids: Ids; of?: string; device: PairedDevice },
): void => {
  const heard = (known: PairedDevice | undefined): PairedDevice | undefined =>
    known?.serial === device.serial && known.pairedAt === device.pairedAt
      ? { ...known, dialects: [...dialects] }
      : known;
  changeConfig(folder, ids, ({ device: first, terminals, ...config }) => {
    const known = of === undefined ? heard(first) : first;
    return {
      ...config,
      device: known,
      terminals: terminals?.map((one) => {
        const other = one.terminalId === of ? heard(one.device) : undefined;
        return other === undefined ? one : { ...one, device: other };
      }),
    };
  });
};

/** Writes the new address of the same device into till.json: of the first terminal, or of the one with this number. */
export const rememberAddress = (folder: string, address: string, { ids, of }: { ids: Ids; of?: string }): void =>
  void changeConfig(folder, ids, ({ terminals, ...config }) => ({
    ...config,
    ...(of === undefined && { terminal: address }),
    terminals: terminals?.map((one) => (one.terminalId === of ? { ...one, terminal: address } : one)),
  }));
