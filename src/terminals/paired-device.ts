/** The paired device: how it is recognised, and how its new address is stored. */
import { simulatedModelName, type TerminalInfo } from '../../drivers/terminal.ts';
import type { Ids } from '../base/ids.ts';
import { changeConfig, type PairedDevice } from '../folder/config.ts';

/**
 * A device's text about itself. A serial number can be as long as a card number: it is stored whole to recognise the
 * device.
 */
export const deviceText = (text: string): string => text.replace(/\p{C}/gu, '').trim().slice(0, 100);

/**
 * Whether this is the terminal that the till is paired with. Without a serial number its model decides. A simulated
 * terminal that was paired before its model said so is still recognised.
 */
export const isPaired = (info: TerminalInfo, { model, serial }: PairedDevice): boolean =>
  [model, simulatedModelName(model)].includes(deviceText(info.model)) && deviceText(info.serial) === serial;

/** Stores the dialects that the device was observed to speak, if it is still the one paired there. */
export const rememberDialects = (
  folder: string,
  dialects: readonly string[],
  { ids, terminalId, device }: { ids: Ids; terminalId?: string; device: PairedDevice },
): void => {
  const withDialects = (known: PairedDevice | undefined): PairedDevice | undefined =>
    known?.serial === device.serial && known.pairedAt === device.pairedAt
      ? { ...known, dialects: [...dialects] }
      : known;
  changeConfig(folder, ids, ({ device: first, terminals, ...config }) => {
    const known = terminalId === undefined ? withDialects(first) : first;
    return {
      ...config,
      device: known,
      terminals: terminals?.map((one) => {
        const other = one.terminalId === terminalId ? withDialects(one.device) : undefined;
        return other === undefined ? one : { ...one, device: other };
      }),
    };
  });
};

/** Writes the device's new address to till.json: of the first terminal, or of the one with this terminalId. */
export const rememberAddress = (
  folder: string,
  address: string,
  { ids, terminalId }: { ids: Ids; terminalId?: string },
): void =>
  void changeConfig(folder, ids, ({ terminals, ...config }) => ({
    ...config,
    ...(terminalId === undefined && { terminal: address }),
    terminals: terminals?.map((one) => (one.terminalId === terminalId ? { ...one, terminal: address } : one)),
  }));
