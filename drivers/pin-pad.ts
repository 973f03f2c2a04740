/** What a reader's driver tells of the PIN pad: pos.pinEntryCapability says it to the issuer. */
import { hasPinPad } from '../src/emv/device-models.ts';
import { present } from './present.ts';
import type { TerminalInfo } from './terminal.ts';

/** By the model's row; of an unknown model a usable PIN key proves the pad, and the lack of one proves nothing. */
export const withPinPad = (info: TerminalInfo, pinKey: boolean): TerminalInfo => ({
  ...info,
  ...present({ hasPinPad: hasPinPad(info.model) ?? (pinKey || undefined) }),
});
